"""A 784-512-512-10 perceptron with ReLU on a batch of 28 x 28 images.

Written twice: as plain functions over a dict of parameters, and as methods of a class whose
attributes are the parameters. Both give the same numbers, as graphs and eagerly.
"""

import numpy as np

import staticpy

SIZES = (784, 512, 512, 10)


def relu(x):
    """The positive part."""
    return np.maximum(x, 0)


def dense(layer, x):
    """A fully connected layer."""
    return x @ layer["w"] + layer["b"]


@staticpy.jit
def logits(parameters, images):
    """The scores of ten classes; ``images`` is ``f32[batch, 1, 28, 28]``."""
    x = images.reshape(images.shape[0], -1)
    x = relu(dense(parameters["hidden1"], x))
    x = relu(dense(parameters["hidden2"], x))
    return dense(parameters["out"], x)


@staticpy.jit
def classify(parameters, images):
    """The most probable class of each image, and its probability."""
    scores = logits(parameters, images)
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.argmax(p, axis=1), np.max(p, axis=1)


class Perceptron:
    """The same network as an object. A new array in an attribute is seen by the next call."""

    def __init__(self, parameters):
        self.w1, self.b1 = parameters["hidden1"]["w"], parameters["hidden1"]["b"]
        self.w2, self.b2 = parameters["hidden2"]["w"], parameters["hidden2"]["b"]
        self.w3, self.b3 = parameters["out"]["w"], parameters["out"]["b"]

    def hidden(self, x):
        """The two hidden layers."""
        return relu(relu(x @ self.w1 + self.b1) @ self.w2 + self.b2)

    @staticpy.jit
    def forward(self, images):
        """The scores of ten classes; ``images`` is ``f32[batch, 1, 28, 28]``."""
        x = images.reshape(images.shape[0], -1)
        return self.hidden(x) @ self.w3 + self.b3


def make_parameters(seed):
    """Random weights in float32."""
    rng = np.random.default_rng(seed)
    parameters = {}
    for name, rows, columns in zip(("hidden1", "hidden2", "out"), SIZES, SIZES[1:], strict=False):
        w = rng.normal(size=(rows, columns)) * np.sqrt(2 / rows)
        parameters[name] = {"w": w.astype(np.float32), "b": np.zeros(columns, np.float32)}
    return parameters


def make_images(batch, seed):
    """Random images in float32."""
    return np.random.default_rng(seed).random((batch, 1, 28, 28), dtype=np.float32)


def main():
    """Run both forms on a batch of 64 and a batch of 5; the second compiles nothing again."""
    parameters = make_parameters(0)
    model = Perceptron(parameters)
    results = []
    for batch in (64, 5):
        images = make_images(batch, 1)
        scores = logits(parameters, images)
        same = np.array_equal(scores, model.forward(images))
        classes, probabilities = classify(parameters, images)
        print(f"{batch} images: {scores.dtype}{list(scores.shape)}, both forms equal: {same}")
        print(f"  classes of the first five: {classes[:5]}, at {probabilities[:5].round(3)}")
        results.append((scores, classes, probabilities))
    return results


if __name__ == "__main__":
    main()

"""Cells and Parameters: what is found in them, under which names, and how they are shown."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, nn


class Network(nn.Cell):
    """The network of MindSpore's tutorial."""

    def __init__(self) -> None:
        super().__init__()
        self.flatten = nn.Flatten()
        self.dense_relu_sequential = nn.SequentialCell(
            nn.Dense(28 * 28, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10)
        )

    def construct(self, x: Any) -> Any:
        x = self.flatten(x)
        return self.dense_relu_sequential(x)


class Many(nn.Cell):
    """Parameters and Cells in all places."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(np.ones(2))
        self.parts = [nn.Dense(2, 2, has_bias=False), (nn.Parameter([1.0]), 5)]
        self.heads = {"a": nn.Dense(2, 1), "b": None}
        self.again = self.scale
        self.statistics = nn.Parameter(np.zeros(3), requires_grad=False)
        self.parent = self


def test_tutorial() -> None:
    staticpy.set_context(mode=staticpy.PYNATIVE_MODE)
    network = Network()
    logits = network(Tensor(np.ones([64, 1, 28, 28]).astype(np.float32)))
    assert (type(logits), logits.shape, logits.dtype) == (Tensor, (64, 10), np.float32)
    assert repr(network) == (
        "Network<\n"
        "  (flatten): Flatten<>\n"
        "  (dense_relu_sequential): SequentialCell<\n"
        "    (0): Dense<input_channels=784, output_channels=512, has_bias=True>\n"
        "    (1): ReLU<>\n"
        "    (2): Dense<input_channels=512, output_channels=512, has_bias=True>\n"
        "    (3): ReLU<>\n"
        "    (4): Dense<input_channels=512, output_channels=10, has_bias=True>\n"
        "    >\n"
        "  >"
    )
    assert list(network.parameters_dict())[:2] == [
        "dense_relu_sequential.0.weight",
        "dense_relu_sequential.0.bias",
    ]


def test_names() -> None:
    cell = Many()
    assert [name for name, _ in cell.parameters_and_names()] == [
        "scale",
        "parts.0.weight",
        "parts.1.0",
        "heads.a.weight",
        "heads.a.bias",
        "statistics",
    ]
    assert [name for name, _ in cell.cells_and_names("net")] == [
        "net",
        "net.parts.0",
        "net.heads.a",
    ]
    assert list(cell.name_cells()) == ["parts.0", "heads.a", "parent"]
    assert len(cell.trainable_params()) == 5
    assert "(parent): ..." in repr(cell)
    assert next(cell.get_parameters()) is cell.scale


def test_what_is_assigned_later_is_found() -> None:
    cell = nn.Cell()
    cell.weight = nn.Parameter([1.0])
    cell.weight = nn.Parameter([2.0, 3.0])
    assert [each.shape for each in cell.get_parameters()] == [(2,)]


def test_set_train_reaches_all() -> None:
    network = Network()
    assert not network.training
    assert network.set_train() is network
    assert all(cell.training for _, cell in network.cells_and_names())
    network.set_train(False)
    assert not any(cell.training for _, cell in network.cells_and_names())


def test_set_grad_and_clear_grads() -> None:
    cell = nn.Dense(2, 1)
    cell(np.ones((1, 2), np.float32)).sum().backward()
    assert cell.weight.grad is not None
    cell.clear_grads()
    assert cell.weight.grad is None
    cell.set_grad(False)
    assert cell.trainable_params() == []


def test_hooks() -> None:
    seen = []
    cell = nn.ReLU()
    before = cell.register_forward_pre_hook(lambda cell, inputs: (inputs[0] - 1,))
    after = cell.register_forward_hook(lambda cell, inputs, output: seen.append((inputs, output)))
    doubled = cell.register_forward_hook(lambda cell, inputs, output: output * 2)
    assert cell(np.float32(4)) == 6
    assert seen == [((np.float32(3),), np.float32(3))]
    assert staticpy.jit(lambda cell, x: cell(x))(nn.SequentialCell(), np.ones(2)).tolist() == [1, 1]
    for handle in (before, after, doubled, doubled):
        handle.remove()
    assert cell(np.float32(4)) == 4
    assert list(cell.get_parameters()) == []


def test_hooks_of_cells_are_no_parts() -> None:
    cell = nn.ReLU()
    cell.register_forward_hook(nn.Dense(2, 2))
    assert cell.name_cells() == {}


def test_hooks_in_graphs() -> None:
    cell = nn.ReLU()
    cell.register_forward_hook(lambda cell, inputs, output: output + inputs[0])
    compiled = staticpy.jit(lambda cell, x: cell(x))
    assert compiled(cell, np.array([-1.0, 2.0])).tolist() == [-1.0, 4.0]


def test_no_construct() -> None:
    class Empty(nn.Cell):
        pass

    with pytest.raises(NotImplementedError, match=r"Empty has no construct\(\)"):
        Empty()(1)


def test_init_of_the_base_may_be_left_out() -> None:
    class Plain(nn.Cell):
        def __init__(self) -> None:
            self.dense = nn.Dense(2, 2)

        def construct(self, x: Any) -> Any:
            return self.dense(x)

    @dataclass(eq=False)
    class Scaled(nn.Cell):
        factor: Any

        def construct(self, x: Any) -> Any:
            return x * self.factor

    assert Plain().set_train()(np.ones((1, 2))).shape == (1, 2)
    scaled = Scaled(nn.Parameter([2.0]))
    scaled.register_forward_hook(lambda *_: None)
    assert scaled(np.ones(1)).item() == 2.0
    assert list(scaled.parameters_dict()) == ["factor"]


def test_containers() -> None:
    cells = nn.SequentialCell({"first": nn.Dense(3, 2), "second": nn.ReLU()})
    assert list(cells.parameters_dict()) == ["first.weight", "first.bias"]
    assert cells["second"] is cells[1] is cells[-1]
    cells.append(nn.Dense(2, 1, has_bias=False))
    assert list(cells.parameters_dict())[-1] == "2.weight"
    assert cells(np.ones((4, 3))).shape == (4, 1)
    assert [type(each) for each in cells[1:]] == [nn.ReLU, nn.Dense]
    many = nn.CellList(nn.ReLU()).extend([nn.Tanh()])
    assert (len(many), [type(each) for each in many]) == (2, [nn.ReLU, nn.Tanh])
    with pytest.raises(NotImplementedError, match="CellList has no construct"):
        many(1)
    with pytest.raises(TypeError, match="was given int"):
        nn.SequentialCell(3)


def pickled(parameter: Any) -> Any:
    return pickle.loads(pickle.dumps(parameter))


class TestParameter:
    def test_results_are_tensors(self) -> None:
        parameter = nn.Parameter(np.ones((2, 3), np.float32), "w")
        for made in (parameter * 2, parameter.T, parameter[0], parameter.detach(), parameter.data):
            assert type(made) is Tensor
        parameter.sum().backward()
        assert type(parameter.grad) is Tensor
        assert repr(nn.Parameter([1.0], "w")) == "Parameter(array([1.]), name='w')"

    @pytest.mark.parametrize(
        "copied", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))]
    )
    @pytest.mark.parametrize("requires_grad", [True, False])
    def test_copies(self, copied: Any, requires_grad: bool) -> None:
        parameter = nn.Parameter(np.ones(3, np.float32), "w", requires_grad)
        other = copied(parameter)
        assert (type(other), other.name, other.requires_grad) == (nn.Parameter, "w", requires_grad)
        with staticpy.no_grad():
            other += 1
        assert parameter.detach().tolist() == [1, 1, 1]

    def test_is_written_to_in_no_grad(self) -> None:
        parameter = nn.Parameter([1.0])
        with staticpy.no_grad():
            parameter -= 0.5
        parameter.data += 2.0
        assert (type(parameter), parameter.detach().tolist()) == (nn.Parameter, [2.5])

    def test_shared_once(self) -> None:
        first = nn.Dense(2, 2)
        second = nn.Dense(2, 2)
        second.weight = first.weight
        net = nn.SequentialCell(first, second)
        assert list(net.parameters_dict()) == ["0.weight", "0.bias", "1.bias"]
        same = copy.deepcopy(net)
        assert same[0].weight is same[1].weight


class TestFirstValues:
    def test_generator_is_reproducible(self) -> None:
        one = nn.Dense(3, 2, rng=np.random.default_rng(1))
        other = nn.Dense(3, 2, rng=np.random.default_rng(1))
        assert one.weight.detach().tolist() == other.weight.detach().tolist()

    def test_seed(self) -> None:
        staticpy.set_seed(5)
        first = nn.Dense(3, 2).weight.detach().tolist()
        assert nn.Dense(3, 2).weight.detach().tolist() != first
        staticpy.set_seed(5)
        assert nn.Dense(3, 2).weight.detach().tolist() == first

    @pytest.mark.parametrize(
        ("make", "deviation"),
        [
            (nn.init.xavier_uniform, np.sqrt(2 / (300 + 200))),
            (nn.init.xavier_normal, np.sqrt(2 / (300 + 200))),
            (nn.init.he_uniform, np.sqrt(2 / 200)),
            (nn.init.he_normal, np.sqrt(2 / 200)),
            (nn.init.normal, 0.01),
            (nn.init.uniform, 0.07 / np.sqrt(3)),
        ],
    )
    def test_deviation(self, make: Any, deviation: float) -> None:
        values = make((300, 200), rng=np.random.default_rng(0))
        assert values.dtype == np.float32
        assert abs(values.std() / deviation - 1) < 0.02
        assert abs(values.mean()) < 0.02 * deviation

    @pytest.mark.parametrize("shape", [(6, 4), (4, 6), (4, 3, 2)])
    def test_orthogonal(self, shape: tuple[int, ...]) -> None:
        matrix = nn.init.orthogonal(shape, rng=np.random.default_rng(0), dtype=np.float64)
        matrix = matrix.reshape(shape[0], -1)
        product = matrix @ matrix.T if shape[0] <= matrix.shape[1] else matrix.T @ matrix
        np.testing.assert_allclose(product, np.eye(len(product)), atol=1e-12)

    def test_ways_to_say_it(self) -> None:
        values = np.arange(6.0).reshape(2, 3)
        for how in (values, Tensor(values), lambda shape, rng, dtype: values.astype(dtype)):
            assert nn.Dense(3, 2, how).weight.detach().tolist() == values.tolist()
        assert nn.Dense(3, 2, "ones", 4.0).bias.detach().tolist() == [4.0, 4.0]
        assert nn.Dense(3, 2, "XavierUniform").weight.dtype == np.float32
        with pytest.raises(ValueError, match="no initialiser is called 'glorot'"):
            nn.Dense(3, 2, "glorot")
        with pytest.raises(ValueError, match="of shape"):
            nn.Dense(3, 2, values.T)
        with pytest.raises(ValueError, match="needs two axes"):
            nn.init.he_normal((3,))
        with pytest.raises(ValueError, match="no activation is called 'rleu'"):
            nn.Dense(3, 2, activation="rleu")


def test_reduction_is_checked() -> None:
    with pytest.raises(ValueError, match="not 'average'"):
        nn.MSELoss("average")


@pytest.mark.parametrize("wrong", [-1, 4])
@pytest.mark.parametrize("is_graph", [False, True])
def test_indices_are_checked(wrong: int, is_graph: bool) -> None:
    """They don't count from the end: what is -1 is a mistake."""
    table, loss = nn.Embedding(4, 2), nn.CrossEntropyLoss()
    run: Any = staticpy.jit(lambda f, *args: f(*args)) if is_graph else lambda f, *args: f(*args)
    with pytest.raises(IndexError, match="Embedding of 4 rows was given an index that is none"):
        run(table, np.array([0, wrong]))
    with pytest.raises(IndexError, match="a label is no class"):
        run(loss, np.zeros((2, 4)), np.array([0, wrong]))


@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3), (2, 1, 4, 3), (0, 3)])
def test_linear(shape: tuple[int, ...]) -> None:
    x, weight = np.random.default_rng(0).normal(size=shape), np.arange(6.0).reshape(2, 3)
    linear = nn.functional.linear
    np.testing.assert_allclose(linear(x, weight), x @ weight.T, rtol=1e-14)
    np.testing.assert_allclose(staticpy.jit(linear)(x, weight), x @ weight.T, rtol=1e-14)
    leaf = Tensor(weight, requires_grad=True)
    linear(x, leaf).sum().backward()
    assert leaf.grad.flags.c_contiguous


@pytest.mark.parametrize("name", ["relu", "relu6", "leaky_relu", "elu", "gelu", "hardswish"])
def test_nan_stays(name: str) -> None:
    assert np.isnan(getattr(nn.functional, name)(np.array([np.nan]))).all()


def test_normal_cdf_in_both_tails() -> None:
    cdf = nn.functional.normal_cdf(np.array([-30.0, -5.0, 0.0, 5.0, 40.0]))
    expected = [4.906713927148187e-198, 2.866515718791933e-07, 0.5, 0.9999997133484281, 1.0]
    np.testing.assert_allclose(cdf, expected, rtol=1e-12)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_gradient_by_a_cell_without_parameters(is_compiled: bool) -> None:
    def loss(cell, x):
        return cell(x).sum()

    function = staticpy.jit(loss) if is_compiled else loss
    assert staticpy.value_and_grad(function)(nn.ReLU(), np.array([1.0, -2.0])) == (1.0, {})


def test_dropout_of_channels() -> None:
    drop = nn.Dropout2d(0.5, np.random.default_rng(0)).set_train()
    y = drop(np.ones((8, 4, 3, 2)))
    assert {tuple(np.unique(each)) for each in y.reshape(32, 6)} == {(0.0,), (2.0,)}
    with pytest.raises(ValueError, match="not of 2 axes"):
        drop(np.ones((2, 2)))
    with pytest.raises(ValueError, match="4 channels are not 3 groups"):
        nn.GroupNorm(3, 4)
    with pytest.raises(ValueError, match=r"GroupNorm of 4 channels .* \(2, 3\)"):
        nn.GroupNorm(2, 4)(np.ones((2, 3)))
    assert nn.Sequential is nn.SequentialCell


def test_arguments_of_mindspore() -> None:
    """What stands in another place, or means something else, is no silent difference."""
    with pytest.raises(TypeError, match="there is no use_one_hot"):
        nn.Embedding(10, 4, True)
    with pytest.raises(TypeError, match="positional"):
        nn.AvgPool2d(3, 2, "pad", 1, False)  # ceil_mode, there
    assert nn.LayerNorm((3, 2), 1, 1)(np.ones((4, 3, 2))).shape == (4, 3, 2)
    with pytest.raises(ValueError, match="begins at axis 2 of an array of 3 axes, and not at"):
        nn.LayerNorm((2,), 1, 1)(np.ones((4, 3, 2)))
    net = nn.SequentialCell(nn.BatchNorm1d(2), nn.ReLU())
    assert [each.shape for each in net.untrainable_params()] == [(2,), (2,)]
    seen: list[Any] = []
    assert net.apply(lambda cell: seen.append(type(cell).__name__)) is net
    assert seen == ["ReLU", "BatchNorm1d", "SequentialCell"]

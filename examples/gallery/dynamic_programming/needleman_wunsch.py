"""Global alignment with affine gaps and traceback over nucleotides.

Source: Needleman and Wunsch, 1970; Gotoh, "An improved algorithm for matching biological
sequences", 1982.
"""

import numpy as np

NEG_INF = float("-inf")
GAP = 255


def score_matrix(match=2, mismatch=-1, transition=0):
    """Purines A, G and pyrimidines C, T, in the order A, C, G, T."""
    S = np.full((4, 4), mismatch)
    np.fill_diagonal(S, match)
    for a, b in ((0, 2), (1, 3)):
        S[a, b] = S[b, a] = transition
    return S


def program(s, t, open_=-3.0, extend=-0.5):
    S = score_matrix()
    m, n = len(s), len(t)
    M = np.full((m + 1, n + 1), NEG_INF)
    X, Y = M.copy(), M.copy()
    M[0, 0] = 0.0
    X[1:, 0] = open_ + extend * np.arange(m)
    Y[0, 1:] = open_ + extend * np.arange(n)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            sub = S[s[i - 1], t[j - 1]]
            M[i, j] = sub + max(M[i - 1, j - 1], X[i - 1, j - 1], Y[i - 1, j - 1])
            X[i, j] = max(M[i - 1, j] + open_, X[i - 1, j] + extend)
            Y[i, j] = max(M[i, j - 1] + open_, Y[i, j - 1] + extend)

    aligned_s, aligned_t = [], []
    i, j = m, n
    state = int(np.argmax([M[m, n], X[m, n], Y[m, n]]))
    score = max(M[m, n], X[m, n], Y[m, n])
    while i > 0 or j > 0:
        if state == 0:
            aligned_s.append(s[i - 1])
            aligned_t.append(t[j - 1])
            i -= 1
            j -= 1
            state = int(np.argmax([M[i, j], X[i, j], Y[i, j]]))
        elif state == 1:
            aligned_s.append(s[i - 1])
            aligned_t.append(np.uint8(GAP))
            i -= 1
            state = 0 if M[i, j] + open_ >= X[i, j] + extend else 1
        else:
            aligned_s.append(np.uint8(GAP))
            aligned_t.append(t[j - 1])
            j -= 1
            state = 0 if M[i, j] + open_ >= Y[i, j] + extend else 2
    return score, np.array(aligned_s[::-1]), np.array(aligned_t[::-1])


def arguments(size):
    rng = np.random.default_rng(3)
    s = rng.integers(0, 4, size=size).astype(np.uint8)
    t = np.concatenate(
        [s[: size // 2], rng.integers(0, 4, size=3).astype(np.uint8), s[size // 2 + 1 :]]
    )
    return s, t

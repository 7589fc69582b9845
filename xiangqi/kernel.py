from qikit.bits import ctz, load_volatile, popcount
from qikit.jit import jit


@jit("int64(int64[::1], int64)")
def probe(a, n):
    s = 0
    for i in range(n):
        s += popcount(a[i]) + ctz(a[i])
    return s + load_volatile(a)

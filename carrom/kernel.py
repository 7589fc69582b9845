"""Event-driven motion of sliding discs: paths, contact times, clusters of impacts.

Only + - * / and square roots, no fast-math, no threads: a shot gives the same bits in every run.
The plain slow twin is tests/twins/carrom.py.
"""

from __future__ import annotations

from math import sqrt

from carrom.layout import (
    ACC,
    BRANCH,
    C_A,
    C_APPROACH,
    C_B,
    C_GAP,
    C_JN,
    C_NX,
    C_NY,
    C_TIED,
    CARRIES,
    CHANGED,
    DISC_DISC,
    DISC_RAIL,
    E_A,
    E_APPROACH,
    E_B,
    E_DE,
    E_JN,
    E_JT,
    E_T,
    E_TYPE,
    FLY_OFF,
    H0,
    HOLE,
    IN_CLUSTER,
    L_ACC,
    L_DISC,
    L_STATE,
    L_T,
    L_VX,
    L_VY,
    L_W,
    L_X,
    L_Y,
    LIFTED,
    N_LEFT,
    N_S,
    N_V,
    NVX,
    NVY,
    NW,
    NX,
    NY,
    O_DEEPEST,
    O_EVENTS,
    O_IMPACT,
    O_LOG,
    O_OFF,
    O_POCKET,
    O_PRESSES,
    O_SLIDE,
    O_T_END,
    OFF,
    ON,
    P_E_DD,
    P_E_W,
    P_FARKAS,
    P_FLY,
    P_HALF,
    P_HOLE_AT,
    P_KI,
    P_MU_DD,
    P_MU_W,
    P_MUG,
    P_POCKETS,
    P_RAILS,
    P_RP,
    P_STACK_G,
    POCKET,
    POCKETED,
    PRESS,
    PVX,
    PVY,
    PW,
    Q0,
    RAIL_0,
    S_STOP,
    SCALE,
    STATE,
    T0,
    T_STOP,
    UNSTACK,
    UX,
    UY,
    VX,
    VY,
    M,
    R,
    V,
    W,
    X,
    Y,
)
from qikit.jit import jit

INF = 1e300
NEVER = 1e299

TOUCH = 1e-10
"""Discs closer than this touch; contacts that touch at one instant form one cluster."""
SLOW = 5e-5
"""A touching pair that closes more slowly than this is pressed together, not struck."""
DEPTH = 2e-8
"""How far a pressed pair may sink before the press is worked off and the gap set back to 0."""
PLASTIC = 1e-5
"""Below this closing speed an impact in a cluster has no restitution."""
PRESSED = 5e-4
"""A contact that has sunk and closes more slowly than this is a press: no restitution either."""
DONE = 1e-6
"""A cluster is solved when no contact closes faster; far below SLOW, so no event comes twice."""
TIE = 1e-9
"""Contacts whose closing speeds differ by less (relative) are solved together."""

# Rows of a curve of carrom.friction: time left, speed, rim speed, way left, slopes of the speeds.
Q, SPEED, RIM, WAY, SPEED_SLOPE, RIM_SLOPE = range(6)


# -- one disc on its path ----------------------------------------------------------------------


@jit()
def curve_row(curve, column, value):
    """Last row whose ``column`` (growing) is <= value; -1 before the first."""
    low, high = -1, curve.shape[0]
    while high - low > 1:
        middle = (low + high) >> 1
        if curve[middle, column] <= value:
            low = middle
        else:
            high = middle
    return low


@jit()
def curve_at(curve, q):
    """(speed, rim speed, way left) with time ``q`` left, in the units of the curve."""
    k = curve_row(curve, Q, q)
    last = curve.shape[0] - 1
    if k < 0:
        part = q / curve[0, Q]
        return curve[0, SPEED] * part, curve[0, RIM] * part, curve[0, WAY] * part * part
    if k >= last:  # far out both speeds follow power laws
        part = q / curve[last, Q]
        root = sqrt(part)
        if curve[last, SPEED] > curve[last, RIM]:
            speed = curve[last, SPEED] + (q - curve[last, Q])
            rim = curve[last, RIM] * root
            way = curve[last, WAY] + 0.5 * (q - curve[last, Q]) * (curve[last, SPEED] + speed)
        else:
            fourth = sqrt(root)
            speed = curve[last, SPEED] * root * fourth
            rim = curve[last, RIM] + (q - curve[last, Q]) * curve[last, RIM_SLOPE]
            way = curve[last, WAY] + (4.0 / 7.0) * curve[last, SPEED] * curve[last, Q] * (
                part * root * fourth - 1.0
            )
        return speed, rim, way
    h = curve[k + 1, Q] - curve[k, Q]
    x = (q - curve[k, Q]) / h
    y = 1.0 - x
    # cubic Hermite for the rim speed, quintic for the way (value, speed, slope at both ends)
    r0, r1 = curve[k, RIM], curve[k + 1, RIM]
    rim = (
        (1.0 + 2.0 * x) * y * y * r0
        + x * x * (1.0 + 2.0 * y) * r1
        + h * x * y * (y * curve[k, RIM_SLOPE] - x * curve[k + 1, RIM_SLOPE])
    )
    v0, v1 = h * curve[k, SPEED], h * curve[k + 1, SPEED]
    a0, a1 = h * h * curve[k, SPEED_SLOPE], h * h * curve[k + 1, SPEED_SLOPE]
    rise = curve[k + 1, WAY] - curve[k, WAY]
    # the quintic through the rows, as way0 + v0 x + a0 x^2/2 + x^3 (p + q x + r x^2)
    d0 = rise - v0 - 0.5 * a0
    d1 = v1 - v0 - a0
    d2 = a1 - a0
    c3 = 10.0 * d0 - 4.0 * d1 + 0.5 * d2
    c4 = -15.0 * d0 + 7.0 * d1 - d2
    c5 = 6.0 * d0 - 3.0 * d1 + 0.5 * d2
    way = curve[k, WAY] + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
    speed = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
    return speed, rim, way


@jit()
def curve_start(curve, eps):
    """Time left on the curve where speed / rim speed = ``eps``."""
    last = curve.shape[0] - 1
    slides = curve[last, SPEED] > curve[last, RIM]
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) >> 1
        ratio = curve[middle, SPEED] / curve[middle, RIM]
        if (ratio <= eps) == slides:
            low = middle
        else:
            high = middle
    end = curve[last, SPEED] / curve[last, RIM]
    if slides and eps >= end:
        return curve[last, Q] * (eps / end) * (eps / end)
    if not slides and eps <= end:
        part = (end / eps) * (end / eps)
        return curve[last, Q] * part * part
    a, b = curve[low, Q], curve[high, Q]
    for _ in range(100):
        q = 0.5 * (a + b)
        speed, rim, _way = curve_at(curve, q)
        if (speed <= eps * rim) == slides:
            a = q
        else:
            b = q
        if b - a <= 2e-16 * b:
            break
    return 0.5 * (a + b)


@jit()
def start_path(d, i, t, vx, vy, w, par, curves):
    """Start a new path of disc ``i`` at time ``t`` from its place d[i, X], d[i, Y]."""
    v = sqrt(vx * vx + vy * vy)
    if v > 0.0 and v < 1e-150:
        v, vx, vy = 0.0, 0.0, 0.0
    a = d[i, ACC]
    d[i, VX], d[i, VY], d[i, V], d[i, W], d[i, T0] = vx, vy, v, w, t
    d[i, BRANCH] = 0.0
    if v == 0.0:
        d[i, UX], d[i, UY], d[i, T_STOP], d[i, S_STOP] = 0.0, 0.0, t, 0.0
        return
    d[i, UX], d[i, UY] = vx / v, vy / v
    if par[P_FARKAS] == 0.0 or w == 0.0:
        d[i, T_STOP] = t + v / a
        d[i, S_STOP] = v * v / (2.0 * a)
        return
    rim = abs(w) * d[i, R]
    eps = v / rim
    star = curves[0, 0, SPEED] / curves[0, 0, RIM]
    branch = 0 if eps >= star else 1
    curve = curves[branch]
    q = curve_start(curve, eps)
    speed, rim_q, way = curve_at(curve, q)
    scale = v / speed if branch == 0 else rim / rim_q
    d[i, BRANCH], d[i, SCALE], d[i, Q0], d[i, H0] = branch + 1.0, scale, q, way
    d[i, T_STOP] = t + scale * q / a
    d[i, S_STOP] = scale * scale * way / a


@jit()
def travel(d, i, t, curves):
    """(path length, speed) of disc ``i`` at time ``t`` >= its T0."""
    if t >= d[i, T_STOP]:
        return d[i, S_STOP], 0.0
    dt = t - d[i, T0]
    if dt <= 0.0:
        return 0.0, d[i, V]
    a = d[i, ACC]
    if d[i, BRANCH] == 0.0:
        return (d[i, V] - 0.5 * a * dt) * dt, d[i, V] - a * dt
    scale = d[i, SCALE]
    speed, _rim, way = curve_at(curves[int(d[i, BRANCH]) - 1], d[i, Q0] - a * dt / scale)
    return scale * scale * (d[i, H0] - way) / a, scale * speed


@jit()
def spin_at(d, i, t, par, curves):
    """Spin of disc ``i`` at time ``t``."""
    w = d[i, W]
    if w == 0.0:
        return 0.0
    dt = t - d[i, T0]
    if dt <= 0.0:
        return w
    a = d[i, ACC]
    if d[i, BRANCH] != 0.0:
        if t >= d[i, T_STOP]:
            return 0.0
        scale = d[i, SCALE]
        _speed, rim, _way = curve_at(curves[int(d[i, BRANCH]) - 1], d[i, Q0] - a * dt / scale)
        spin = scale * rim / d[i, R]
        return spin if w > 0.0 else -spin
    lost = (2.0 / 3.0) * a * dt / (par[P_KI] * d[i, R])
    if w > 0.0:
        return max(0.0, w - lost)
    return min(0.0, w + lost)


@jit()
def spin_end(d, i, par):
    """Time at which disc ``i`` neither moves nor turns."""
    end = d[i, T_STOP]
    if d[i, BRANCH] == 0.0 and d[i, W] != 0.0:
        end = max(end, d[i, T0] + abs(d[i, W]) * par[P_KI] * d[i, R] * 1.5 / d[i, ACC])
    return end


@jit()
def time_of(d, i, s, curves):
    """Time at which disc ``i`` has run the length ``s`` of its path, or INF beyond its end."""
    if s > d[i, S_STOP]:
        return INF
    if s <= 0.0:
        return d[i, T0]
    v, a = d[i, V], d[i, ACC]
    if d[i, BRANCH] == 0.0:
        return d[i, T0] + 2.0 * s / (v + sqrt(max(0.0, v * v - 2.0 * a * s)))
    scale, q0 = d[i, SCALE], d[i, Q0]
    curve = curves[int(d[i, BRANCH]) - 1]
    target = d[i, H0] - s * a / (scale * scale)
    low, high = 0.0, q0
    q = q0
    for _ in range(100):
        speed, _rim, way = curve_at(curve, q)
        if way > target:
            high = q
        else:
            low = q
        step = (way - target) / speed if speed > 0.0 else 0.0
        new = q - step
        if not (low < new < high):
            new = 0.5 * (low + high)
        if abs(new - q) <= 1e-16 * q0:
            q = new
            break
        q = new
    return d[i, T0] + scale * (q0 - q) / a


@jit()
def energy(d, i, vx, vy, w, par):
    return 0.5 * d[i, M] * (vx * vx + vy * vy + par[P_KI] * d[i, R] * d[i, R] * w * w)


# -- when a disc meets something ---------------------------------------------------------------


@jit()
def ray(px, py, ux, uy, qx, qy, reach):
    """Length along a ray to the circle of radius ``reach`` round q, or INF; it starts outside."""
    dx, dy = qx - px, qy - py
    along = dx * ux + dy * uy
    across = abs(dx * uy - dy * ux)
    if along <= 0.0 or across >= reach:
        return INF
    return max(0.0, along - sqrt((reach - across) * (reach + across)))


@jit()
def meet(d, i, j, now, end, reach, curves):
    """First time in [now, end] at which two moving discs are ``reach`` apart, or INF.

    f = distance^2 - reach^2 is followed from the left: a lower bound m of f'' over a window gives
    a parabola under f, and the first zero of the parabola is a step that cannot jump over a zero
    of f. Steps shrink quadratically, so a dozen suffice, and no root can be lost.
    """
    t = now
    window = end - now
    plain = d[i, BRANCH] == 0.0 and d[j, BRANCH] == 0.0
    ax = d[i, ACC] * d[i, UX] - d[j, ACC] * d[j, UX]
    ay = d[i, ACC] * d[i, UY] - d[j, ACC] * d[j, UY]
    for _step in range(400):
        si, vi = travel(d, i, t, curves)
        sj, vj = travel(d, j, t, curves)
        rx = (d[j, X] + d[j, UX] * sj) - (d[i, X] + d[i, UX] * si)
        ry = (d[j, Y] + d[j, UY] * sj) - (d[i, Y] + d[i, UY] * si)
        vx = d[j, UX] * vj - d[i, UX] * vi
        vy = d[j, UY] * vj - d[i, UY] * vi
        f = rx * rx + ry * ry - reach * reach
        f1 = 2.0 * (rx * vx + ry * vy)
        if f <= 1e-17:
            if f1 < 0.0:
                return t
            f = 0.0
        vv = vx * vx + vy * vy
        if plain:
            va = vx * ax + vy * ay
            m = 2.0 * (vv + (rx * ax + ry * ay) + 3.0 * min(0.0, va) * window)
        else:
            pull = d[i, ACC] + d[j, ACC]
            slowest = max(0.0, sqrt(vv) - pull * window)
            far = sqrt(rx * rx + ry * ry) + (vi + vj) * window
            m = 2.0 * (slowest * slowest - far * pull)
        root = f1 * f1 - 2.0 * m * f
        x = INF
        if f1 >= 0.0:
            if m < 0.0:
                x = (f1 + sqrt(root)) / -m
        elif root >= 0.0:
            x = 2.0 * f / (sqrt(root) - f1)
        if x >= window:
            if t + window >= end:
                return INF
            t += window
            window = min(4.0 * window, end - t)
        else:
            if x <= 2.3e-16:
                return t
            t += x
            window = min(max(4.0 * x, 1e-9), end - t)
    return t


@jit()
def pair_time(d, now, i, j, t, curves):
    """Time at which discs ``i`` and ``j`` have their next contact, as seen from time ``t``.

    Touching discs that close fast meet at once; those that close slowly are pressed together and
    meet when they have sunk by DEPTH; those that part meet when the gap is back at what it is.
    """
    if d[i, STATE] != ON or d[j, STATE] != ON:
        return INF
    left_i, left_j = now[i, N_LEFT], now[j, N_LEFT]
    if left_i <= 0.0 and left_j <= 0.0:
        return INF
    rx, ry = now[j, NX] - now[i, NX], now[j, NY] - now[i, NY]
    reach = d[i, R] + d[j, R]
    far = reach + (left_i + left_j)
    rr = rx * rx + ry * ry
    if rr > far * far * (1.0 + 1e-12):
        return INF
    touching = rr <= (reach + TOUCH) * (reach + TOUCH)
    if touching:
        distance = sqrt(rr)
        gap = distance - reach
        opening = ((now[j, NVX] - now[i, NVX]) * rx + (now[j, NVY] - now[i, NVY]) * ry) / distance
        if opening < -SLOW:
            return t
        if opening <= SLOW:
            reach += min(gap, 0.0) - DEPTH
        else:
            reach = min(distance, reach)
    if left_i > 0.0 and left_j > 0.0:
        first = min(d[i, T_STOP], d[j, T_STOP])
        found = meet(d, i, j, t, first, reach, curves)
        if found < NEVER:
            return found
        if d[i, T_STOP] == d[j, T_STOP]:
            return INF
        # one has stopped: the other runs on alone
        mover, rest = (i, j) if d[i, T_STOP] > d[j, T_STOP] else (j, i)
        qx = d[rest, X] + d[rest, UX] * d[rest, S_STOP]
        qy = d[rest, Y] + d[rest, UY] * d[rest, S_STOP]
        begin, _v = travel(d, mover, first, curves)
    else:
        mover, rest = (i, j) if left_i > 0.0 else (j, i)
        qx, qy = now[rest, NX], now[rest, NY]
        begin, first = now[mover, N_S], t
    ux, uy = d[mover, UX], d[mover, UY]
    px, py = d[mover, X] + ux * begin, d[mover, Y] + uy * begin
    s = ray(px, py, ux, uy, qx, qy, reach)
    if s > NEVER:
        return INF
    return max(first, time_of(d, mover, begin + s, curves))


@jit()
def rail_time(d, now, i, t, par, curves):
    """Time at which disc ``i`` reaches a rail."""
    if par[P_RAILS] == 0.0 or d[i, STATE] != ON or now[i, N_LEFT] <= 0.0:
        return INF
    best = INF
    limit = par[P_HALF] - d[i, R]
    for axis in range(2):
        u = d[i, UX + axis]
        if u == 0.0:
            continue
        at = now[i, NX + axis]
        if u < 0.0:
            u, at = -u, -at
        gap = limit - at
        if gap <= TOUCH:
            if now[i, N_V] * u > SLOW:
                return t
            gap = gap - min(gap, 0.0) + DEPTH
        s = gap / u
        if s <= now[i, N_LEFT]:
            best = min(best, max(t, time_of(d, i, now[i, N_S] + s, curves)))
    return best


@jit()
def hole_time(d, now, i, t, par, curves):
    """Time at which the centre of disc ``i`` comes over a hole."""
    if par[P_POCKETS] == 0.0 or d[i, STATE] != ON:
        return INF
    at, rp = par[P_HOLE_AT], par[P_RP]
    best = INF
    for k in range(4):
        hx = at if k == 1 or k == 2 else -at
        hy = at if k >= 2 else -at
        dx, dy = hx - now[i, NX], hy - now[i, NY]
        if dx * dx + dy * dy <= rp * rp:
            d[i, HOLE] = k
            return t
        if now[i, N_LEFT] > 0.0:
            s = ray(now[i, NX], now[i, NY], d[i, UX], d[i, UY], hx, hy, rp)
            if s <= now[i, N_LEFT]:
                found = max(t, time_of(d, i, now[i, N_S] + s, curves))
                if found < best:
                    best = found
                    d[i, HOLE] = k
    return best


@jit()
def unstack_time(d, now, i, t, curves):
    """Time at which disc ``i`` has slid out from under the disc that lies on it."""
    k = int(d[i, CARRIES])
    if k < 0 or d[i, STATE] != ON or now[i, N_LEFT] <= 0.0:
        return INF
    dx, dy = now[i, NX] - d[k, X], now[i, NY] - d[k, Y]
    reach = d[i, R]
    outside = dx * dx + dy * dy - reach * reach
    if outside >= 0.0:
        return t
    along = dx * d[i, UX] + dy * d[i, UY]
    s = sqrt(along * along - outside) - along
    if s > now[i, N_LEFT]:
        return INF
    return max(t, time_of(d, i, now[i, N_S] + s, curves))


# -- what happens at a contact -----------------------------------------------------------------


@jit()
def closing(d, now, c, k):
    """Closing speed of contact ``k`` with the present velocities."""
    a, b = int(c[k, C_A]), int(c[k, C_B])
    ux, uy = -now[a, NVX], -now[a, NVY]
    if b >= 0:
        ux += now[b, NVX]
        uy += now[b, NVY]
    return -(ux * c[k, C_NX] + uy * c[k, C_NY])


@jit()
def gather(d, now, n, a0, b0, c, stack, par):
    """Collect every contact that hangs together with disc ``a0`` (and ``b0``) by touch.

    Returns the number of contacts and of discs; ``stack`` lists the discs.
    """
    for k in range(n):
        now[k, IN_CLUSTER] = 0.0
    count, discs, done = 0, 1, 0
    stack[0] = a0
    now[a0, IN_CLUSTER] = 1.0
    if b0 >= 0:
        stack[1] = b0
        now[b0, IN_CLUSTER] = 1.0
        discs = 2
    while done < discs:
        a = stack[done]
        done += 1
        now[a, IN_CLUSTER] = 2.0
        for b in range(n):
            if b == a or d[b, STATE] != ON or now[b, IN_CLUSTER] == 2.0:
                continue
            rx, ry = now[b, NX] - now[a, NX], now[b, NY] - now[a, NY]
            reach = d[a, R] + d[b, R] + TOUCH
            rr = rx * rx + ry * ry
            forced = (a == a0 and b == b0) or (a == b0 and b == a0)
            if (rr > reach * reach and not forced) or count >= c.shape[0] - 4:
                continue
            distance = sqrt(rr)
            c[count, C_A], c[count, C_B] = a, b
            if distance > 0.0:
                c[count, C_NX], c[count, C_NY] = rx / distance, ry / distance
            else:
                c[count, C_NX], c[count, C_NY] = 1.0, 0.0
            c[count, C_GAP] = distance - d[a, R] - d[b, R]
            count += 1
            if now[b, IN_CLUSTER] == 0.0:
                now[b, IN_CLUSTER] = 1.0
                stack[discs] = b
                discs += 1
        if par[P_RAILS] != 0.0:
            limit = par[P_HALF] - d[a, R]
            for rail in range(4):
                sign = 1.0 if rail & 1 else -1.0
                axis = rail >> 1
                gap = limit - sign * now[a, NX + axis]
                forced = a == a0 and b0 == RAIL_0 - rail
                if (gap <= TOUCH or forced) and count < c.shape[0]:
                    c[count, C_A], c[count, C_B] = a, RAIL_0 - rail
                    c[count, C_NX] = sign if axis == 0 else 0.0
                    c[count, C_NY] = sign if axis == 1 else 0.0
                    c[count, C_GAP] = gap
                    count += 1
    return count, discs


@jit()
def pressed(c, k):
    """Whether contact ``k`` is a press to be worked off rather than a blow."""
    return c[k, C_GAP] < -0.5 * DEPTH and c[k, C_APPROACH] < PRESSED


@jit()
def restitution(c, k, e_dd, e_w):
    """Coefficient of restitution of contact ``k`` at its closing speed."""
    if c[k, C_APPROACH] < PLASTIC or pressed(c, k):
        return 0.0
    return e_dd if c[k, C_B] >= 0.0 else e_w


@jit()
def coupling(d, c, k, other):
    """Change of the opening speed of contact ``k`` by a unit impulse at contact ``other``."""
    a, b = int(c[k, C_A]), int(c[k, C_B])
    p, q = int(c[other, C_A]), int(c[other, C_B])
    dot = c[k, C_NX] * c[other, C_NX] + c[k, C_NY] * c[other, C_NY]
    total = 0.0
    if a == p:
        total += 1.0 / d[a, M]
    if a == q:
        total -= 1.0 / d[a, M]
    if b >= 0 and b == p:
        total -= 1.0 / d[b, M]
    if b >= 0 and b == q:
        total += 1.0 / d[b, M]
    return total * dot


@jit()
def solve_tied(d, c, ties, tied, g, e_dd, e_w):
    """Normal impulses of ``tied`` contacts (numbers in ``ties``) solved together, into C_JN.

    Every opening speed becomes e times its closing speed. A contact that depends on the others or
    would have to pull takes no part and waits for its turn.
    """
    width = g.shape[0]
    if tied > width:
        tied = width
    for r in range(tied):
        c[ties[r], C_TIED] = 1.0
    for _ in range(tied):
        for r in range(tied):
            k = ties[r]
            e = restitution(c, k, e_dd, e_w)
            for s in range(tied):
                g[r, s] = coupling(d, c, k, ties[s])
            g[r, width] = (1.0 + e) * c[k, C_APPROACH]
        # Gauss-Jordan without exchange: the matrix is symmetric and positive
        for r in range(tied):
            k = ties[r]
            if c[k, C_TIED] == 0.0:
                continue
            own = coupling(d, c, k, k)
            if g[r, r] < 1e-9 * own:
                c[k, C_TIED] = 0.0
                continue
            for s in range(tied):
                if s == r or c[ties[s], C_TIED] == 0.0:
                    continue
                factor = g[s, r] / g[r, r]
                if factor != 0.0:
                    for column in range(tied):
                        g[s, column] -= factor * g[r, column]
                    g[s, width] -= factor * g[r, width]
        worst, drop = 0.0, -1
        for r in range(tied):
            k = ties[r]
            c[k, C_JN] = g[r, width] / g[r, r] if c[k, C_TIED] != 0.0 else 0.0
            if c[k, C_JN] < worst:
                worst, drop = c[k, C_JN], k
        if drop < 0:
            return
        c[drop, C_TIED] = 0.0
    return


@jit()
def tangential(d, now, c, k, jn, par):
    """Tangential impulse on b of contact ``k``: sticks, or slips with mu times the normal one."""
    a, b = int(c[k, C_A]), int(c[k, C_B])
    tx, ty = -c[k, C_NY], c[k, C_NX]
    ux, uy = -now[a, NVX], -now[a, NVY]
    rim = d[a, R] * now[a, NW]
    inverse = 1.0 / d[a, M]
    mu = par[P_MU_W]
    if b >= 0:
        ux += now[b, NVX]
        uy += now[b, NVY]
        rim += d[b, R] * now[b, NW]
        inverse += 1.0 / d[b, M]
        mu = par[P_MU_DD]
    slip = ux * tx + uy * ty - rim
    jt = -slip / ((1.0 + 1.0 / par[P_KI]) * inverse)
    most = mu * jn
    return min(most, max(-most, jt))


@jit()
def push(d, now, c, k, jn, jt, par):
    """Give the impulses of contact ``k`` to its discs."""
    a, b = int(c[k, C_A]), int(c[k, C_B])
    jx = jn * c[k, C_NX] - jt * c[k, C_NY]
    jy = jn * c[k, C_NY] + jt * c[k, C_NX]
    now[a, NVX] -= jx / d[a, M]
    now[a, NVY] -= jy / d[a, M]
    now[a, NW] -= jt / (par[P_KI] * d[a, M] * d[a, R])
    now[a, CHANGED] = 1.0
    if b >= 0:
        now[b, NVX] += jx / d[b, M]
        now[b, NVY] += jy / d[b, M]
        now[b, NW] -= jt / (par[P_KI] * d[b, M] * d[b, R])
        now[b, CHANGED] = 1.0


@jit()
def cluster_energy(d, now, stack, discs, par):
    total = 0.0
    for r in range(discs):
        i = stack[r]
        total += energy(d, i, now[i, NVX], now[i, NVY], now[i, NW], par)
    return total


@jit()
def write_event(events, out, t, kind, a, b, approach, jn, jt, lost):
    k = int(out[O_EVENTS])
    out[O_EVENTS] += 1.0
    if k < events.shape[0]:
        events[k, E_T], events[k, E_TYPE], events[k, E_A], events[k, E_B] = t, kind, a, b
        events[k, E_APPROACH], events[k, E_JN], events[k, E_JT] = approach, jn, jt
        events[k, E_DE] = lost


@jit()
def write_log(log, out, d, i, t):
    k = int(out[O_LOG])
    out[O_LOG] += 1.0
    if k < log.shape[0]:
        log[k, L_T], log[k, L_DISC], log[k, L_X], log[k, L_Y] = t, i, d[i, X], d[i, Y]
        log[k, L_VX], log[k, L_VY], log[k, L_W] = d[i, VX], d[i, VY], d[i, W]
        log[k, L_ACC], log[k, L_STATE] = d[i, ACC], d[i, STATE]


@jit()
def leave(d, now, i, t, state, par, out, column):
    """Take disc ``i`` from the board (hole or fly-off); its energy goes to ``column``."""
    left = energy(d, i, now[i, NVX], now[i, NVY], now[i, NW], par)
    out[O_SLIDE] += energy(d, i, d[i, VX], d[i, VY], d[i, W], par) - energy(
        d, i, now[i, PVX], now[i, PVY], now[i, PW], par
    )
    out[column] += left
    out[O_T_END] = max(out[O_T_END], t)
    d[i, X], d[i, Y], d[i, STATE] = now[i, NX], now[i, NY], state
    d[i, VX], d[i, VY], d[i, V], d[i, W], d[i, UX], d[i, UY] = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    d[i, T0], d[i, T_STOP], d[i, S_STOP], d[i, BRANCH] = t, t, 0.0, 0.0
    now[i, NVX], now[i, NVY], now[i, NW], now[i, N_LEFT], now[i, N_V] = 0.0, 0.0, 0.0, 0.0, 0.0
    now[i, PVX], now[i, PVY], now[i, PW] = 0.0, 0.0, 0.0


@jit()
def flies(d, now, c, k, approach, par):
    """Disc that jumps the rail by the impact just made at contact ``k``, or -1."""
    fly = par[P_FLY]
    if approach < fly:
        return -1
    a, b = int(c[k, C_A]), int(c[k, C_B])
    if b < 0:
        return a
    for disc in (a, b):
        limit = par[P_HALF] - d[disc, R]
        for axis in range(2):
            at, v = now[disc, NX + axis], now[disc, NVX + axis]
            if at < 0.0:
                at, v = -at, -v
            if limit - at <= 0.2 * d[disc, R] and v >= fly:
                return disc
    return -1


@jit()
def resolve(d, now, n, t, a0, b0, c, stack, ties, g, par, events, out):
    """Work off all contacts of one instant that hang together by touch.

    The contact that closes fastest goes first; contacts that close equally fast (TIE) are solved
    together; below PLASTIC there is no restitution; finished when none closes faster than DONE.
    Returns the number of turns that it took.
    """
    count, discs = gather(d, now, n, a0, b0, c, stack, par)
    e_dd, e_w = par[P_E_DD], par[P_E_W]
    sunk = False
    for k in range(count):
        out[O_DEEPEST] = min(out[O_DEEPEST], c[k, C_GAP])
        if c[k, C_GAP] < -0.5 * DEPTH:
            sunk = True
    limit = 60 * (count + 2)
    for turn in range(6 * limit):
        if turn == limit:  # restitution alone would go on for ever in a jammed cluster
            e_dd, e_w = 0.0, 0.0
        best = DONE
        for k in range(count):
            if c[k, C_A] < 0.0:
                continue
            c[k, C_APPROACH] = closing(d, now, c, k)
            best = max(best, c[k, C_APPROACH])
        if best <= DONE:
            break
        tied = 0
        for k in range(count):
            if c[k, C_A] >= 0.0 and c[k, C_APPROACH] >= best * (1.0 - TIE) and tied < ties.shape[0]:
                ties[tied] = k
                tied += 1
        before = cluster_energy(d, now, stack, discs, par)
        if tied == 1:
            k = ties[0]
            e = restitution(c, k, e_dd, e_w)
            c[k, C_JN] = (1.0 + e) * best / coupling(d, c, k, k)
        else:
            solve_tied(d, c, ties, tied, g, e_dd, e_w)
        # all tangential impulses from the velocities before, then all impulses together
        for r in range(tied):
            g[r, 0] = tangential(d, now, c, ties[r], c[ties[r], C_JN], par)
        for r in range(tied):
            if c[ties[r], C_JN] > 0.0:
                push(d, now, c, ties[r], c[ties[r], C_JN], g[r, 0], par)
        after = cluster_energy(d, now, stack, discs, par)
        if tied > 1 and after > before:
            # friction of contacts that share a disc must not add energy: take it back
            for r in range(tied):
                if g[r, 0] != 0.0:
                    push(d, now, c, ties[r], 0.0, -g[r, 0], par)
                    g[r, 0] = 0.0
            after = cluster_energy(d, now, stack, discs, par)
        out[O_IMPACT] += before - after
        first = True
        for r in range(tied):
            k = ties[r]
            if c[k, C_JN] <= 0.0:
                continue
            b = c[k, C_B]
            kind = DISC_DISC if b >= 0.0 else DISC_RAIL
            if pressed(c, k):
                kind = PRESS
                out[O_PRESSES] += 1.0
            write_event(
                events,
                out,
                t,
                kind,
                c[k, C_A],
                b,
                c[k, C_APPROACH],
                c[k, C_JN],
                g[r, 0],
                before - after if first else 0.0,
            )
            first = False
            if par[P_FLY] < NEVER:
                gone = flies(d, now, c, k, c[k, C_APPROACH], par)
                if gone >= 0 and d[gone, STATE] == ON:
                    speed = sqrt(now[gone, NVX] * now[gone, NVX] + now[gone, NVY] * now[gone, NVY])
                    rail = b if b < 0.0 else RAIL_0 - 4.0
                    leave(d, now, gone, t, OFF, par, out, O_OFF)
                    write_event(events, out, t, FLY_OFF, float(gone), rail, speed, 0.0, 0.0, 0.0)
                    for other in range(count):
                        if c[other, C_A] == gone or c[other, C_B] == gone:
                            c[other, C_A] = -9.0
    if sunk:
        set_back(d, now, c, count, par)
    return turn


@jit()
def gap_now(d, now, c, k, par):
    """Gap of contact ``k`` at the present places."""
    a, b = int(c[k, C_A]), int(c[k, C_B])
    if b < 0:
        along = c[k, C_NX] * now[a, NX] + c[k, C_NY] * now[a, NY]
        return par[P_HALF] - d[a, R] - along
    rx, ry = now[b, NX] - now[a, NX], now[b, NY] - now[a, NY]
    return sqrt(rx * rx + ry * ry) - d[a, R] - d[b, R]


@jit()
def set_back(d, now, c, count, par):
    """Set pressed contacts that have sunk back to gap 0, by moving the discs that move
    or were just pushed.

    Sweeps, because setting one contact back sinks its neighbours: in a column between a rail and a
    sliding disc the free end gives way.
    """
    for _ in range(50):
        sunk = False
        for k in range(count):
            if c[k, C_A] < 0.0:
                continue
            gap = gap_now(d, now, c, k, par)
            if gap >= -0.25 * DEPTH:
                continue
            a, b = int(c[k, C_A]), int(c[k, C_B])
            share_a = 1.0 / d[a, M] if now[a, CHANGED] != 0.0 or now[a, N_LEFT] > 0.0 else 0.0
            share_b = 0.0
            if b >= 0 and (now[b, CHANGED] != 0.0 or now[b, N_LEFT] > 0.0):
                share_b = 1.0 / d[b, M]
            total = share_a + share_b
            if total == 0.0:
                continue
            sunk = True
            by = min(-gap, 5.0 * DEPTH) / total
            now[a, NX] -= c[k, C_NX] * by * share_a
            now[a, NY] -= c[k, C_NY] * by * share_a
            now[a, CHANGED] = 1.0
            if b >= 0 and share_b > 0.0:
                now[b, NX] += c[k, C_NX] * by * share_b
                now[b, NY] += c[k, C_NY] * by * share_b
                now[b, CHANGED] = 1.0
        if not sunk:
            break


@jit()
def blocked(d, now, n, i, x, y, par):
    """How far a disc ``i`` laid at (x, y) would overlap a disc or a rail; <= 0 when free."""
    worst = -INF
    for k in range(n):
        if k != i and d[k, STATE] == ON:
            dx, dy = x - now[k, NX], y - now[k, NY]
            worst = max(worst, d[i, R] + d[k, R] - sqrt(dx * dx + dy * dy))
    if par[P_RAILS] != 0.0:
        limit = par[P_HALF] - d[i, R]
        worst = max(worst, abs(x) - limit, abs(y) - limit)
    return worst


@jit()
def set_down(d, now, n, lower, t, par, curves):
    """Lay the disc carried by ``lower`` on the board, pushed clear of overlap.

    It goes straight back from the disc that slid away, or to the nearest free place round it.
    """
    upper = int(d[lower, CARRIES])
    d[lower, CARRIES] = -1.0
    d[lower, ACC] = par[P_MUG]
    now[lower, CHANGED] = 1.0
    x0, y0 = d[upper, X], d[upper, Y]
    dx, dy = x0 - now[lower, NX], y0 - now[lower, NY]
    size = sqrt(dx * dx + dy * dy)
    if size == 0.0:
        dx, dy, size = 0.0, -1.0, 1.0
    if d[lower, STATE] == ON:
        reach = (d[upper, R] + d[lower, R]) * (1.0 + 1e-9)
        x, y = now[lower, NX] + dx / size * reach, now[lower, NY] + dy / size * reach
    else:
        x, y = x0, y0
    # squares of eight places turned to the line, growing by a quarter radius
    hx, hy = dx / size, dy / size
    found = False
    for ring in range(400):
        step = 0.25 * d[upper, R] * ring
        for k in range(9):
            ahead, aside = step * (k % 3 - 1), step * (k // 3 - 1)
            px, py = x + (ahead * hx - aside * hy), y + (ahead * hy + aside * hx)
            if blocked(d, now, n, upper, px, py, par) <= 0.0:
                x, y, found = px, py, True
                break
        if found:
            break
    d[upper, STATE] = ON
    d[upper, X], d[upper, Y] = x, y
    now[upper, NX], now[upper, NY] = x, y
    now[upper, CHANGED] = 1.0
    return upper


# -- the shot ----------------------------------------------------------------------------------


@jit()
def refresh(d, now, n, t, par, curves):
    """Bring ``now`` of every disc to time ``t``."""
    for i in range(n):
        if d[i, STATE] == ON and now[i, N_LEFT] > 0.0:
            s, v = travel(d, i, t, curves)
            now[i, N_S], now[i, N_V], now[i, N_LEFT] = s, v, d[i, S_STOP] - s
            now[i, NX], now[i, NY] = d[i, X] + d[i, UX] * s, d[i, Y] + d[i, UY] * s
            now[i, NVX], now[i, NVY] = d[i, UX] * v, d[i, UY] * v
        if d[i, W] != 0.0:
            now[i, NW] = spin_at(d, i, t, par, curves)
        now[i, PVX], now[i, PVY], now[i, PW] = now[i, NVX], now[i, NVY], now[i, NW]
        now[i, CHANGED] = 0.0


@jit()
def load(d, now, i):
    """Fill ``now`` of disc ``i`` from the start of its path."""
    now[i, NX], now[i, NY], now[i, NVX], now[i, NVY] = d[i, X], d[i, Y], d[i, VX], d[i, VY]
    now[i, NW], now[i, N_S], now[i, N_V], now[i, N_LEFT] = d[i, W], 0.0, d[i, V], d[i, S_STOP]
    now[i, PVX], now[i, PVY], now[i, PW] = d[i, VX], d[i, VY], d[i, W]


@jit()
def predict(d, now, n, i, t, times, par, curves):
    """Renew every predicted time of disc ``i``. Row i holds pairs, then rail, hole, unstack."""
    for j in range(n):
        if j != i:
            a, b = (i, j) if i < j else (j, i)
            times[a, b] = pair_time(d, now, a, b, t, curves)
    times[i, n] = rail_time(d, now, i, t, par, curves)
    times[i, n + 1] = hole_time(d, now, i, t, par, curves)
    times[i, n + 2] = unstack_time(d, now, i, t, curves)


@jit()
def play(d, now, n, par, curves, times, c, stack, ties, g, events, log, out, most):
    """One shot from the velocities in ``d`` until all discs rest; returns 0, or 1 at ``most``."""
    for k in range(out.shape[0]):
        out[k] = 0.0
    for i in range(n):
        d[i, ACC] = par[P_MUG]
    for i in range(n):
        k = int(d[i, CARRIES])
        if k >= 0:
            d[i, ACC] = (par[P_MUG] * (d[i, M] + d[k, M]) + par[P_STACK_G] * d[k, M]) / d[i, M]
    for i in range(n):
        start_path(d, i, 0.0, d[i, VX], d[i, VY], d[i, W], par, curves)
        load(d, now, i)
        now[i, CHANGED] = 0.0
        write_log(log, out, d, i, 0.0)
    for i in range(n):
        for j in range(i + 1, n):
            times[i, j] = pair_time(d, now, i, j, 0.0, curves)
        times[i, n] = rail_time(d, now, i, 0.0, par, curves)
        times[i, n + 1] = hole_time(d, now, i, 0.0, par, curves)
        times[i, n + 2] = unstack_time(d, now, i, 0.0, curves)
    status = 0
    rounds = 0
    while True:
        t, a, b = INF, -1, -1
        for i in range(n):
            if times[i, n + 1] < t:
                t, a, b = times[i, n + 1], i, n + 1
        for i in range(n):
            for j in range(i + 1, n + 1):
                if times[i, j] < t:
                    t, a, b = times[i, j], i, j
            if times[i, n + 2] < t:
                t, a, b = times[i, n + 2], i, n + 2
        if a < 0:
            break
        rounds += 1
        if rounds > most:
            status = 1
            break
        refresh(d, now, n, t, par, curves)
        if b == n + 1:
            speed = now[a, N_V]
            carried = d[a, CARRIES] >= 0.0
            leave(d, now, a, t, POCKETED, par, out, O_POCKET)
            write_event(events, out, t, POCKET, float(a), d[a, HOLE], speed, 0.0, 0.0, 0.0)
            write_log(log, out, d, a, t)
            if carried:
                upper = set_down(d, now, n, a, t, par, curves)
                write_event(events, out, t, UNSTACK, float(upper), float(a), 0.0, 0.0, 0.0, 0.0)
            now[a, CHANGED] = 2.0
        elif b == n + 2:
            upper = set_down(d, now, n, a, t, par, curves)
            write_event(events, out, t, UNSTACK, float(upper), float(a), 0.0, 0.0, 0.0, 0.0)
        else:
            other = b
            if b == n:
                # the rail that is nearest along the way
                other, least = RAIL_0, INF
                for rail in range(4):
                    sign = 1.0 if rail & 1 else -1.0
                    u = sign * now[a, NVX + (rail >> 1)]
                    gap = par[P_HALF] - d[a, R] - sign * now[a, NX + (rail >> 1)]
                    if u > 0.0 and gap < least:
                        least, other = gap, RAIL_0 - rail
            rounds += resolve(d, now, n, t, a, other, c, stack, ties, g, par, events, out)
            for i in range(n):
                if d[i, STATE] == OFF and now[i, CHANGED] == 1.0:
                    now[i, CHANGED] = 2.0
                    if d[i, CARRIES] >= 0.0:
                        upper = set_down(d, now, n, i, t, par, curves)
                        write_event(
                            events, out, t, UNSTACK, float(upper), float(i), 0.0, 0.0, 0.0, 0.0
                        )
                        now[i, CHANGED] = 2.0
                    write_log(log, out, d, i, t)
        for i in range(n):
            if now[i, CHANGED] == 1.0:
                out[O_SLIDE] += energy(d, i, d[i, VX], d[i, VY], d[i, W], par) - energy(
                    d, i, now[i, PVX], now[i, PVY], now[i, PW], par
                )
                d[i, X], d[i, Y] = now[i, NX], now[i, NY]
                start_path(d, i, t, now[i, NVX], now[i, NVY], now[i, NW], par, curves)
                load(d, now, i)
                write_log(log, out, d, i, t)
        for i in range(n):
            if now[i, CHANGED] != 0.0:
                predict(d, now, n, i, t, times, par, curves)
        if b < n and now[a, CHANGED] == 0.0 and now[b, CHANGED] == 0.0:
            times[a, b] = pair_time(d, now, a, b, t, curves)
        elif b == n and now[a, CHANGED] == 0.0:
            times[a, b] = rail_time(d, now, a, t, par, curves)
    for i in range(n):
        if d[i, STATE] != ON and d[i, STATE] != LIFTED:
            continue
        out[O_T_END] = max(out[O_T_END], spin_end(d, i, par))
        out[O_SLIDE] += energy(d, i, d[i, VX], d[i, VY], d[i, W], par)
        s = d[i, S_STOP]
        d[i, X], d[i, Y] = d[i, X] + d[i, UX] * s, d[i, Y] + d[i, UY] * s
    return status


@jit(
    "int64(float64[:,:,::1], int64, float64[::1], float64[:,:,::1], float64[:,::1], "
    "float64[:,::1], float64[:,::1], int64[::1], int64[::1], float64[:,::1], float64[:,::1], "
    "float64[:,::1], float64[:,::1], int64)"
)
def shots(d, n, par, curves, now, times, c, stack, ties, g, events, log, out, most):
    """Play ``d.shape[0]`` shots of ``n`` discs each, in place; events and log are the last shot's.

    Returns how many shots were cut off after ``most`` instants (0 unless something is broken).
    """
    cut = 0
    for k in range(d.shape[0]):
        cut += play(d[k], now, n, par, curves, times, c, stack, ties, g, events, log, out[k], most)
    return cut


@jit(
    "void(float64[:,::1], float64[::1], float64[:,:,::1], float64[:,::1], float64[::1], "
    "float64[:,:,::1])"
)
def sample(log, par, curves, d, times, out):
    """States at growing ``times``, from the path log: out[k, disc] = x, y, speed, spin, state.

    ``d`` needs radius and mass; its other columns are working space.
    """
    row = 0
    for k in range(times.shape[0]):
        while row < log.shape[0] and log[row, L_T] <= times[k]:
            i = int(log[row, L_DISC])
            d[i, X], d[i, Y], d[i, ACC] = log[row, L_X], log[row, L_Y], log[row, L_ACC]
            d[i, STATE] = log[row, L_STATE]
            start_path(
                d, i, log[row, L_T], log[row, L_VX], log[row, L_VY], log[row, L_W], par, curves
            )
            row += 1
        for i in range(d.shape[0]):
            s, v = travel(d, i, times[k], curves)
            out[k, i, 0] = d[i, X] + d[i, UX] * s
            out[k, i, 1] = d[i, Y] + d[i, UY] * s
            out[k, i, 2] = v
            out[k, i, 3] = spin_at(d, i, times[k], par, curves)
            out[k, i, 4] = d[i, STATE]

package npb;

/**
 * Solves the systems of SP in one direction. A line of points has three matrices with five diagonals: what travels with
 * the flow, and what travels faster or slower than it by the speed of sound. The sweep upwards eliminates what is left
 * of the main diagonal, that downwards substitutes. The points of a row belong to lines beside each other.
 */
final class Sweep {

    static final int SPEEDS = 3;
    private static final int[] SIGNS = {0, 1, -1}; // of the speed of sound
    private static final int[] FIRST = {0, 3, 4, 5}; // part of the right side, of each speed

    private final int side;
    private final double[] volume;
    private final double[] along; // velocity
    private final double[] sound;
    private final double[][] right;
    private final double[][] next; // diagonals right of the main one, eliminated
    private final double[][] second;
    private final int step;
    private final double fast;
    private final double slow;
    private final double damp; // the outer diagonals
    private final double diffusion;
    private double[] before = {}; // of a row: what was left of the main diagonal
    private double[] inverse = {}; // and 1 / main diagonal

    Sweep(int side, int direction, double time, double[] volume, double[] along, double[] sound, double[][] right,
            double[][] next, double[][] second, int step) {
        this.side = side;
        this.volume = volume;
        this.along = along;
        this.sound = sound;
        this.right = right;
        this.next = next;
        this.second = second;
        this.step = step;
        fast = time * 0.5 * (side - 1);
        slow = time * (side - 1) * (side - 1);
        damp = time * Flow.DISSIPATION;
        diffusion = Flow.diffusion(direction);
    }

    /** A row; its place is the index in the direction. Rows behind the boundary have zeros on the right side. */
    void up(int place, int from, int count) {
        if (before.length < count) {
            before = new double[count];
            inverse = new double[count];
        }
        boolean isEdge = place == 1 || place == side - 2;
        for (int i = 0; i < SPEEDS; i++) {
            eliminate(next[i], second[i], SIGNS[i], isEdge ? 5 * damp : 6 * damp, from, count);
            for (int part = FIRST[i]; part < FIRST[i + 1]; part++) {
                eliminate(right[part], before, inverse, damp, from, count, step);
            }
        }
    }

    private void eliminate(double[] next, double[] second, int sign, double extra, int from, int count) {
        for (int i = 0; i < count; i++) {
            int at = from + i;
            int last = at - step;
            int after = at + step;
            double left = -fast * (along[last] + sign * sound[last]) - slow * spread(volume[last]) - 4 * damp;
            double main = 1 + 2 * slow * spread(volume[at]) + extra;
            double over = fast * (along[after] + sign * sound[after]) - slow * spread(volume[after]) - 4 * damp;
            left -= damp * next[last - step];
            main -= damp * second[last - step] + left * next[last];
            over -= left * second[last];
            double factor = 1 / main;
            next[at] = over * factor;
            second[at] = damp * factor;
            before[i] = left;
            inverse[i] = factor;
        }
    }

    /** The greatest of the diffusions of all parts, which here is always that of energy. */
    private double spread(double volume) {
        return diffusion + Flow.PRANDTL * Flow.VISCOSITY * volume;
    }

    private static void eliminate(double[] right, double[] before, double[] inverse, double damp, int from, int count,
            int step) {
        for (int i = 0; i < count; i++) {
            int at = from + i;
            right[at] = (right[at] - damp * right[at - 2 * step] - before[i] * right[at - step]) * inverse[i];
        }
    }

    void down(int from, int count) {
        for (int i = 0; i < SPEEDS; i++) {
            for (int part = FIRST[i]; part < FIRST[i + 1]; part++) {
                substitute(right[part], next[i], second[i], from, from + count, step);
            }
        }
    }

    private static void substitute(double[] right, double[] next, double[] second, int from, int end, int step) {
        for (int at = from; at < end; at++) {
            right[at] -= next[at] * right[at + step] + second[at] * right[at + 2 * step];
        }
    }
}

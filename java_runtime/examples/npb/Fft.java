package npb;

/** Fourier transforms of a power of two of complex numbers, of which several are made side by side. */
final class Fft {

    /** How many are made side by side. */
    static final int BATCH = 16;

    private final int length;
    private final double[] cosines;
    private final double[] sines;
    private double[] re;
    private double[] im;
    private double[] nextRe;
    private double[] nextIm;

    Fft(int length) {
        this.length = length;
        cosines = new double[length / 2];
        sines = new double[length / 2];
        for (int i = 0; i < length / 2; i++) {
            cosines[i] = Math.cos(2 * Math.PI * i / length);
            sines[i] = Math.sin(2 * Math.PI * i / length);
        }
        re = new double[length * BATCH];
        im = new double[length * BATCH];
        nextRe = new double[length * BATCH];
        nextIm = new double[length * BATCH];
    }

    /**
     * Transforms numbers in their place: one series has elements a step apart, the next series begins so much behind.
     *
     * @param sign of the exponent
     */
    void transform(double[] data, int first, int step, int behind, int sign) {
        for (int i = 0; i < length; i++) {
            int from = 2 * (first + i * step);
            for (int b = 0; b < BATCH; b++) {
                re[i * BATCH + b] = data[from + 2 * b * behind];
                im[i * BATCH + b] = data[from + 2 * b * behind + 1];
            }
        }
        for (int span = 1; span < length; span *= 2) {
            for (int i = 0; i < length / 2; i += span) {
                combine(re, im, nextRe, nextIm, i * BATCH, length / 2 * BATCH, span * BATCH, cosines[i],
                        sign * sines[i]);
            }
            double[] old = re;
            re = nextRe;
            nextRe = old;
            old = im;
            im = nextIm;
            nextIm = old;
        }
        for (int i = 0; i < length; i++) {
            int to = 2 * (first + i * step);
            for (int b = 0; b < BATCH; b++) {
                data[to + 2 * b * behind] = re[i * BATCH + b];
                data[to + 2 * b * behind + 1] = im[i * BATCH + b];
            }
        }
    }

    /** Sums of numbers of the first and the second half, and differences times one root of unity. */
    private static void combine(double[] re, double[] im, double[] toRe, double[] toIm, int first, int half, int count,
            double cosine, double sine) {
        int to = 2 * first;
        for (int k = 0; k < count; k++) {
            double a = re[first + k];
            double b = im[first + k];
            double c = re[first + half + k];
            double d = im[first + half + k];
            toRe[to + k] = a + c;
            toIm[to + k] = b + d;
            double x = a - c;
            double y = b - d;
            toRe[to + count + k] = x * cosine - y * sine;
            toIm[to + count + k] = x * sine + y * cosine;
        }
    }
}

package npb;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import measured.Measured;

/**
 * SP: the flow of a compressible fluid in a cube, by implicit steps of time. Each step solves systems along x, y and z
 * one after the other; between them the right side is written in the waves of that direction.
 *
 * <p>The benchmark's own programs cut the cube in all directions and need a square number of processes. Here each
 * process has successive planes of z, so that any number will do: lines of x and y are whole, and the systems along z
 * are a pipeline through the processes, which sends less than to exchange the planes would.
 */
final class Sp implements Measured {

    private static final double TOLERANCE = 1e-8;
    private static final double ROOT = Math.sqrt(0.5);
    /** The exact solution, for each part: a constant, then factors of x, y and z, of their squares, and so on. */
    private static final double[][] EXACT = {
        {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
        {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
        {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
        {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
        {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}};

    private final int side;
    private final int steps;
    private final double time; // of a step
    private final double[] official; // norms of the change that is left, then of the error
    private Slab slab;
    private Flow flow;
    private Factors factors;
    private final double[][] forcing = new double[Flow.PARTS][]; // keeps the exact solution as it is
    private final double[][] right = new double[Flow.PARTS][];

    Sp(String size) {
        switch (size) {
            case "S" -> {
                side = 12;
                official = new double[] {
                    2.7470315451339479e-2, 1.0360746705285417e-2, 1.6235745065095532e-2, 1.5840557224455615e-2,
                    3.4849040609362460e-2, 2.7289258557377227e-5, 1.0364446640837285e-5, 1.6154798287166471e-5,
                    1.5750704994480102e-5, 3.4177666183390531e-5};
            }
            case "W" -> {
                side = 36;
                official = new double[] {
                    0.1893253733584e-2, 0.1717075447775e-3, 0.2778153350936e-3, 0.2887475409984e-3, 0.3143611161242e-2,
                    0.7542088599534e-4, 0.6512852253086e-5, 0.1049092285688e-4, 0.1128838671535e-4, 0.1212845639773e-3};
            }
            case "A" -> {
                side = 64;
                official = new double[] {
                    2.4799822399300195, 1.1276337964368832, 1.5028977888770491, 1.4217816211695179, 2.1292113035138280,
                    1.0900140297820550e-4, 3.7343951769282091e-5, 5.0092785406541633e-5, 4.7671093939528255e-5,
                    1.3621613399213001e-4};
            }
            default -> throw new IllegalArgumentException("SP has the classes S, W and A here, not " + size + ".");
        }
        steps = side == 12 ? 100 : 400;
        time = side == 12 ? 0.015 : 0.0015;
    }

    @Override
    public void prepare(Comm world) {
        slab = new Slab(world, side);
        flow = new Flow(slab);
        factors = new Factors(slab, flow, time);
        for (int part = 0; part < Flow.PARTS; part++) {
            forcing[part] = slab.field();
            right[part] = slab.field();
        }
        fill(this::exact);
        flow.refresh();
        flow.addChange(forcing);
        for (double[] field : forcing) {
            for (int at = 0; at < field.length; at++) {
                field[at] = -field[at];
            }
        }
        fill(this::guess);
    }

    /** A value at a point. */
    private interface Field {
        double at(int part, double x, double y, double z);
    }

    private double exact(int part, double x, double y, double z) {
        double[] c = EXACT[part];
        return c[0] + x * (c[1] + x * (c[4] + x * (c[7] + x * c[10])))
                + y * (c[2] + y * (c[5] + y * (c[8] + y * c[11])))
                + z * (c[3] + z * (c[6] + z * (c[9] + z * c[12])));
    }

    /** Exact on the boundary, and blended from there inside. */
    private double guess(int part, double x, double y, double z) {
        if (x == 0 || x == 1 || y == 0 || y == 1 || z == 0 || z == 1) {
            return exact(part, x, y, z);
        }
        double alongX = x * exact(part, 1, y, z) + (1 - x) * exact(part, 0, y, z);
        double alongY = y * exact(part, x, 1, z) + (1 - y) * exact(part, x, 0, z);
        double alongZ = z * exact(part, x, y, 1) + (1 - z) * exact(part, x, y, 0);
        return alongX + alongY + alongZ - alongX * alongY - alongX * alongZ - alongY * alongZ
                + alongX * alongY * alongZ;
    }

    private double place(int index) {
        return index == side - 1 ? 1 : index * (1.0 / (side - 1));
    }

    private void fill(Field field) {
        for (int part = 0; part < Flow.PARTS; part++) {
            for (int z = slab.first; z <= slab.last; z++) {
                for (int y = 0; y < side; y++) {
                    for (int x = 0; x < side; x++) {
                        flow.u[part][slab.at(z, y) + x] = field.at(part, place(x), place(y), place(z));
                    }
                }
            }
        }
    }

    @Override
    public void run(Comm world) {
        int from = slab.at(slab.firstInside(), 0);
        int end = slab.at(slab.lastInside() + 1, 0);
        for (int step = 0; step < steps; step++) {
            change();
            toX(right[0], right[1], right[2], right[3], right[4], from, end);
            factors.solveX(right);
            fromXToY(right[0], right[1], right[2], right[3], right[4], from, end);
            factors.solveY(right);
            fromYToZ(right[0], right[1], right[2], right[3], right[4], from, end);
            factors.solveZ(right);
            fromZ(right[0], right[1], right[2], right[3], right[4], from, end);
            for (int part = 0; part < Flow.PARTS; part++) {
                add(flow.u[part], right[part], from, end);
            }
        }
    }

    /** The right side: how the flow changes in a step of time. */
    private void change() {
        flow.refresh();
        int from = slab.at(slab.first, 0);
        int end = slab.at(slab.last + 1, 0);
        for (int part = 0; part < Flow.PARTS; part++) {
            System.arraycopy(forcing[part], from, right[part], from, end - from);
        }
        flow.addChange(right);
        for (double[] part : right) {
            for (int at = from; at < end; at++) {
                part[at] *= time;
            }
        }
    }

    private static void add(double[] u, double[] right, int from, int end) {
        for (int at = from; at < end; at++) {
            u[at] += right[at];
        }
    }

    private void toX(double[] a, double[] b, double[] c, double[] d, double[] e, int from, int end) {
        double[] alongX = flow.velocity[0];
        double[] alongY = flow.velocity[1];
        double[] alongZ = flow.velocity[2];
        for (int at = from; at < end; at++) {
            double volume = flow.volume[at];
            double sound = flow.sound[at];
            double pressure = (Flow.HEATS - 1) * (flow.perMass[at] * a[at] - alongX[at] * b[at] - alongY[at] * c[at]
                    - alongZ[at] * d[at] + e[at]);
            double mass = pressure / (sound * sound);
            double motion = ROOT * volume * (alongX[at] * a[at] - b[at]);
            double wave = ROOT * volume * sound * mass;
            b[at] = volume * (d[at] - alongZ[at] * a[at]);
            c[at] = volume * (alongY[at] * a[at] - c[at]);
            a[at] -= mass;
            d[at] = wave - motion;
            e[at] = wave + motion;
        }
    }

    private static void fromXToY(double[] a, double[] b, double[] c, double[] d, double[] e, int from, int end) {
        for (int at = from; at < end; at++) {
            double motion = ROOT * c[at];
            double wave = 0.5 * (d[at] + e[at]);
            c[at] = ROOT * (d[at] - e[at]);
            double first = a[at];
            a[at] = -b[at];
            b[at] = first;
            d[at] = wave - motion;
            e[at] = wave + motion;
        }
    }

    private static void fromYToZ(double[] a, double[] b, double[] c, double[] d, double[] e, int from, int end) {
        for (int at = from; at < end; at++) {
            double motion = ROOT * a[at];
            double wave = 0.5 * (d[at] + e[at]);
            a[at] = ROOT * (d[at] - e[at]);
            double second = b[at];
            b[at] = -c[at];
            c[at] = second;
            d[at] = wave - motion;
            e[at] = wave + motion;
        }
    }

    private void fromZ(double[] a, double[] b, double[] c, double[] d, double[] e, int from, int end) {
        double[] alongX = flow.velocity[0];
        double[] alongY = flow.velocity[1];
        double[] alongZ = flow.velocity[2];
        for (int at = from; at < end; at++) {
            double density = flow.u[0][at];
            double sound = flow.sound[at];
            double wave = ROOT * density / sound * (d[at] + e[at]);
            double motion = ROOT * density * (d[at] - e[at]);
            double mass = c[at] + wave;
            double energy = density * (alongY[at] * a[at] - alongX[at] * b[at]) + flow.perMass[at] * mass
                    + sound * sound / (Flow.HEATS - 1) * wave + alongZ[at] * motion;
            c[at] = density * a[at] + alongY[at] * mass;
            b[at] = alongX[at] * mass - density * b[at];
            a[at] = mass;
            d[at] = alongZ[at] * mass + motion;
            e[at] = energy;
        }
    }

    @Override
    public boolean isRight(Comm world) {
        change();
        double[] norms = new double[2 * Flow.PARTS];
        for (int z = slab.first; z <= slab.last; z++) {
            for (int y = 0; y < side; y++) {
                for (int x = 0; x < side; x++) {
                    int at = slab.at(z, y) + x;
                    for (int part = 0; part < Flow.PARTS; part++) {
                        double left = right[part][at] / time;
                        double error = flow.u[part][at] - exact(part, place(x), place(y), place(z));
                        norms[part] += left * left;
                        norms[Flow.PARTS + part] += error * error;
                    }
                }
            }
        }
        world.allreduce(norms, Op.SUM);
        double inside = Math.pow(side - 2, 3);
        boolean isRight = true;
        for (int i = 0; i < norms.length; i++) {
            double norm = Math.sqrt(norms[i] / inside);
            isRight &= Math.abs(norm - official[i]) <= TOLERANCE * official[i];
        }
        return isRight;
    }
}

package npb;

import java.util.Arrays;

/**
 * What flows in SP: density, three momenta and energy, and what follows from them. All three directions have one
 * formula, in which a step goes along x, y or z.
 */
final class Flow {

    static final int PARTS = 5; // density, momenta of x, y and z, energy
    static final double HEATS = 1.4; // ratio of specific heats
    static final double VISCOSITY = 0.1;
    static final double PRANDTL = HEATS * HEATS;
    private static final double[] DIFFUSION = {0.75, 0.75, 1}; // of each direction
    static final double DISSIPATION = 0.25;

    final double[][] u = new double[PARTS][];
    final double[] volume; // 1 / density
    final double[][] velocity = new double[3][];
    final double[] kinetic; // energy of motion
    final double[] perMass; // the same, divided by the density
    final double[] sound; // its speed
    private final double[] pressure; // without the factor HEATS - 1
    private final double[] heat; // energy per mass
    private final double[] square; // of the velocity in a direction
    private final double[] carried; // energy and pressure, which the velocity carries
    private final Slab slab;

    Flow(Slab slab) {
        this.slab = slab;
        for (int i = 0; i < PARTS; i++) {
            u[i] = slab.field();
        }
        Arrays.fill(u[0], 1); // where there is no plane below or above, nothing is divided by 0
        Arrays.fill(u[4], 1);
        for (int i = 0; i < velocity.length; i++) {
            velocity[i] = slab.field();
        }
        volume = slab.field();
        kinetic = slab.field();
        perMass = slab.field();
        sound = slab.field();
        pressure = slab.field();
        heat = slab.field();
        square = slab.field();
        carried = slab.field();
    }

    static double diffusion(int direction) {
        return DIFFUSION[direction];
    }

    /** The distance of a point and the next one in a direction. */
    int step(int direction) {
        return direction == 0 ? 1 : direction == 1 ? slab.side : slab.plane;
    }

    /** Computes all but {@link #u}, and what of it the neighbours have. */
    void refresh() {
        slab.exchange(u);
        for (int z = slab.first - 1; z <= slab.last + 1; z++) {
            int from = slab.at(z, 0);
            divide(u[0], volume, from, from + slab.plane);
            for (int i = 0; i < 3; i++) {
                multiply(u[i + 1], volume, velocity[i], from, from + slab.plane);
            }
            derive(from, from + slab.plane);
            multiply(u[4], volume, heat, from, from + slab.plane);
        }
    }

    private static void divide(double[] density, double[] volume, int from, int end) {
        for (int at = from; at < end; at++) {
            volume[at] = 1 / density[at];
        }
    }

    private static void multiply(double[] a, double[] b, double[] to, int from, int end) {
        for (int at = from; at < end; at++) {
            to[at] = a[at] * b[at];
        }
    }

    private void derive(int from, int end) {
        double[] x = u[1];
        double[] y = u[2];
        double[] z = u[3];
        double[] energy = u[4];
        for (int at = from; at < end; at++) {
            kinetic[at] = 0.5 * (x[at] * x[at] + y[at] * y[at] + z[at] * z[at]) * volume[at];
            perMass[at] = kinetic[at] * volume[at];
            pressure[at] = energy[at] - kinetic[at];
            sound[at] = Math.sqrt(HEATS * (HEATS - 1) * volume[at] * pressure[at]);
        }
    }

    /** Adds how fast the flow changes, at all points inside the cube. */
    void addChange(double[][] change) {
        for (int direction = 0; direction < 3; direction++) {
            prepare(direction);
            for (int z = slab.firstInside(); z <= slab.lastInside(); z++) {
                for (int y = 1; y < slab.side - 1; y++) {
                    int from = slab.at(z, y) + 1;
                    addFluxes(change, direction, from, from + slab.side - 2);
                    for (int part = 0; part < PARTS; part++) {
                        damp(change[part], u[part], direction, z, y, from);
                    }
                }
            }
        }
    }

    private void prepare(int direction) {
        double[] along = velocity[direction];
        int from = slab.at(slab.first - 1, 0);
        int end = slab.at(slab.last + 2, 0);
        multiply(along, along, square, from, end);
        carry(u[4], kinetic, along, carried, from, end);
    }

    private static void carry(double[] energy, double[] kinetic, double[] along, double[] carried, int from, int end) {
        for (int at = from; at < end; at++) {
            carried[at] = (HEATS * energy[at] - (HEATS - 1) * kinetic[at]) * along[at];
        }
    }

    private void addFluxes(double[][] change, int direction, int from, int end) {
        int step = step(direction);
        double steep = 0.5 * (slab.side - 1);
        double curved = (double) (slab.side - 1) * (slab.side - 1);
        double viscous = VISCOSITY * curved;
        double[] along = velocity[direction];
        for (int part = 0; part < PARTS; part++) {
            curve(change[part], u[part], DIFFUSION[direction] * curved, from, end, step);
        }
        slope(change[0], u[direction + 1], steep, from, end, step);
        for (int i = 0; i < 3; i++) {
            curve(change[i + 1], velocity[i], i == direction ? viscous * 4 / 3 : viscous, from, end, step);
            slope(change[i + 1], u[i + 1], along, steep, from, end, step);
        }
        slope(change[direction + 1], pressure, steep * (HEATS - 1), from, end, step);
        curve(change[4], perMass, viscous * (1 - PRANDTL), from, end, step);
        curve(change[4], square, viscous / 6, from, end, step);
        curve(change[4], heat, viscous * PRANDTL, from, end, step);
        slope(change[4], carried, steep, from, end, step);
    }

    /** Adds a second difference. */
    private static void curve(double[] change, double[] of, double factor, int from, int end, int step) {
        for (int at = from; at < end; at++) {
            change[at] += factor * (of[at + step] - 2 * of[at] + of[at - step]);
        }
    }

    /** Subtracts a first difference. */
    private static void slope(double[] change, double[] of, double factor, int from, int end, int step) {
        for (int at = from; at < end; at++) {
            change[at] -= factor * (of[at + step] - of[at - step]);
        }
    }

    /** Subtracts the first difference of a product. */
    private static void slope(double[] change, double[] a, double[] b, double factor, int from, int end, int step) {
        for (int at = from; at < end; at++) {
            change[at] -= factor * (a[at + step] * b[at + step] - a[at - step] * b[at - step]);
        }
    }

    /** Subtracts the fourth difference of a row of x; near the boundary it leaves out what is behind that. */
    private void damp(double[] change, double[] of, int direction, int z, int y, int from) {
        int step = step(direction);
        int side = slab.side;
        if (direction > 0) {
            dampRow(change, of, direction == 1 ? y : z, from, from + side - 2, step);
            return;
        }
        for (int x : new int[] {1, 2, side - 3, side - 2}) {
            dampRow(change, of, x, from + x - 1, from + x, step);
        }
        dampRow(change, of, 3, from + 2, from + side - 4, step);
    }

    private void dampRow(double[] change, double[] of, int place, int from, int end, int step) {
        int side = slab.side;
        double twoBefore = place <= 2 ? 0 : 1;
        double before = place == 1 ? 0 : -4;
        double here = place == 1 || place == side - 2 ? 5 : 6;
        double after = place == side - 2 ? 0 : -4;
        double twoAfter = place >= side - 3 ? 0 : 1;
        for (int at = from; at < end; at++) {
            change[at] -= DISSIPATION * (twoBefore * of[at - 2 * step] + before * of[at - step] + here * of[at]
                    + after * of[at + step] + twoAfter * of[at + 2 * step]);
        }
    }
}

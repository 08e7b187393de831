package dev.mpiglot.mpi;

import dev.mpiglot.low.Distribution;
import dev.mpiglot.low.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Where parts of arrays of several dimensions lie. */
final class Dimensions {

    private Dimensions() {
    }

    static int[] each(List<Distributed> dimensions, ToIntFunction<Distributed> what) {
        return dimensions.stream().mapToInt(what).toArray();
    }

    /** Throws unless the part is inside. */
    static void requirePart(int[] sizes, int[] subsizes, int[] starts) {
        int dimensions = requireAny(Arguments.present("sizes", sizes).length);
        Arguments.length("subsizes", Arguments.present("subsizes", subsizes).length, dimensions, "dimension");
        Arguments.length("starts", Arguments.present("starts", starts).length, dimensions, "dimension");
        for (int i = 0; i < dimensions; i++) {
            if (subsizes[i] < 1 || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i]) {
                throw new IllegalArgumentException("In dimension " + i + " the part has " + subsizes[i] + " elements from "
                        + starts[i] + " on, the array has " + sizes[i] + ".");
            }
        }
    }

    private static int requireAny(int dimensions) {
        if (dimensions == 0) {
            throw new IllegalArgumentException("An array must have a dimension.");
        }
        return dimensions;
    }

    /** How many processes the grid has, this one among them. */
    static int processes(List<Distributed> dimensions, int rank) {
        requireAny(dimensions.size());
        int processes = 1;
        for (Distributed one : dimensions) {
            int more = Arguments.present("dimensions", one).processes();
            if (more > 0 && processes > Integer.MAX_VALUE / more) {
                throw new IllegalArgumentException("The grid has more than " + Integer.MAX_VALUE + " processes.");
            }
            processes *= more;
        }
        Arguments.rank("rank", rank, processes);
        return processes;
    }

    /** Throws where the library puts elements in wrong places. */
    static void requireRight(List<Distributed> dimensions, Order order) {
        boolean isInnerDistributed = false;
        for (int i : inwards(dimensions.size(), order)) {
            boolean isDistributed = dimensions.get(i).processes() > 1;
            if (isInnerDistributed && isDistributed && dimensions.get(i).distribution() == Distribution.CYCLIC
                    && LibraryDefects.MISPLACES_BLOCKS) {
                throw new UnsupportedOperationException("Intel MPI puts the elements of dimension " + i + " in wrong places "
                        + "(darray-of-cyclic-blocks): take a type of Datatype.hindexed.");
            }
            isInnerDistributed |= isDistributed;
        }
    }

    static Layout part(int[] sizes, int[] subsizes, int[] starts, Order order, Layout element) {
        Layout part = element;
        long stride = element.extent();
        long begin = 0;
        for (int i : inwards(sizes.length, order)) {
            part = Layout.repeat(subsizes[i], stride, part);
            begin = Math.addExact(begin, Math.multiplyExact(starts[i], stride));
            stride = Math.multiplyExact(sizes[i], stride);
        }
        return part.at(begin);
    }

    static Layout distributed(int rank, List<Distributed> dimensions, Order order, Layout element) {
        int[] coords = new int[dimensions.size()];
        int rest = rank;
        for (int i = coords.length - 1; i >= 0; i--) {
            coords[i] = rest % dimensions.get(i).processes();
            rest /= dimensions.get(i).processes();
        }
        Layout part = element;
        long stride = element.extent();
        for (int i : inwards(coords.length, order)) {
            part = along(dimensions.get(i), coords[i], stride, part);
            stride = Math.multiplyExact(dimensions.get(i).size(), stride);
        }
        return part;
    }

    /** The blocks of a process in one dimension: whole ones at equal distances, and what is left at the end. */
    private static Layout along(Distributed one, int coord, long stride, Layout inner) {
        long length = one.length();
        long first = coord * length;
        long step = length * one.processes();
        long whole = one.size() < first + length ? 0 : (one.size() - first - length) / step + 1;
        long next = first + whole * step;
        long left = Math.max(0, Math.min(length, one.size() - next));
        List<Layout.Part> parts = new ArrayList<>();
        Layout block = Layout.repeat(length, stride, inner);
        parts.add(new Layout.Part(first * stride, Layout.repeat(whole, Math.multiplyExact(step, stride), block)));
        parts.add(new Layout.Part(next * stride, Layout.repeat(left, stride, inner)));
        return Layout.sequence(parts);
    }

    /** The dimensions, from the one whose elements are side by side on. */
    private static int[] inwards(int dimensions, Order order) {
        int[] all = new int[dimensions];
        for (int i = 0; i < dimensions; i++) {
            all[i] = order == Order.C ? dimensions - 1 - i : i;
        }
        return all;
    }
}

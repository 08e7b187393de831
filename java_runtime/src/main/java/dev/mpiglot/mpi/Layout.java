package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the bytes of an element of a datatype lie, in the order in which MPI sends them: one run of bytes, a layout
 * that is repeated at equal distances, or parts at any places.
 *
 * @param count how often {@code inner} is repeated; 1 for a run and for parts
 * @param stride bytes from one repetition to the next
 * @param inner what is repeated; null for a run and for parts
 * @param parts the parts; null for a run and for what is repeated
 * @param size bytes of data
 * @param start where the element begins for MPI, in bytes from its origin
 * @param extent bytes from one element to the next
 * @param lower the first byte of data
 * @param upper behind the last byte of data
 */
record Layout(long count, long stride, Layout inner, List<Part> parts, long size, long start, long extent, long lower,
        long upper) {

    private static final ValueLayout.OfLong EIGHT = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt FOUR = ValueLayout.JAVA_INT_UNALIGNED;

    /** A part of an element; {@code at} is the byte where its origin lies. */
    record Part(long at, Layout layout) {
    }

    static Layout run(long bytes) {
        return new Layout(1, 0, null, null, bytes, 0, bytes, 0, bytes);
    }

    static Layout repeat(long count, long stride, Layout inner) {
        if (count == 1) {
            return inner;
        }
        if (count == 0 || inner.size == 0) {
            return run(0);
        }
        if (inner.isDense() && stride == inner.size) {
            return run(Math.multiplyExact(count, inner.size));
        }
        long last = Math.multiplyExact(count - 1, stride);
        long before = Math.min(0, last);
        long behind = Math.max(0, last);
        return new Layout(count, stride, inner, null, Math.multiplyExact(count, inner.size),
                Math.addExact(inner.start, before), Math.addExact(inner.extent, Math.subtractExact(behind, before)),
                Math.addExact(inner.lower, before), Math.addExact(inner.upper, behind));
    }

    /** Parts in the order in which they are sent. */
    static Layout sequence(List<Part> all) {
        List<Part> parts = new ArrayList<>();
        for (Part part : all) {
            Part last = parts.isEmpty() ? null : parts.getLast();
            if (last != null && last.layout.isRun() && part.layout.isRun() && last.at + last.layout.size == part.at) {
                parts.set(parts.size() - 1, new Part(last.at, run(last.layout.size + part.layout.size)));
            } else if (part.layout.size > 0) {
                parts.add(part);
            }
        }
        if (parts.isEmpty()) {
            return run(0);
        }
        if (parts.size() == 1 && parts.getFirst().at == 0) {
            return parts.getFirst().layout;
        }
        long size = 0;
        long lower = Long.MAX_VALUE;
        long upper = Long.MIN_VALUE;
        for (Part part : parts) {
            size = Math.addExact(size, part.layout.size);
            lower = Math.min(lower, Math.addExact(part.at, part.layout.lower));
            upper = Math.max(upper, Math.addExact(part.at, part.layout.upper));
        }
        return new Layout(1, 0, null, List.copyOf(parts), size, lower, Math.subtractExact(upper, lower), lower, upper);
    }

    /** The same data from another place on. */
    Layout at(long bytes) {
        return bytes == 0 ? this : sequence(List.of(new Part(bytes, this)));
    }

    /** What is done with each run of bytes. */
    @FunctionalInterface
    interface Runs {
        void run(long at, long bytes);
    }

    /** Visits the runs of an element at {@code at}, in the order in which MPI sends them. */
    void runs(long at, Runs each) {
        if (isRun()) {
            each.run(at, size);
        } else if (parts != null) {
            parts.forEach(part -> part.layout.runs(at + part.at, each));
        } else {
            for (long i = 0, next = at; i < count; i++, next += stride) {
                inner.runs(next, each);
            }
        }
    }

    /** The same data with other bounds. */
    Layout bounded(long first, long bytes) {
        return new Layout(count, stride, inner, parts, size, first, bytes, lower, upper);
    }

    /** Where the data of an element at {@code at} end, if no run begins before {@code last} or the run before; else -1. */
    long endOfAscending(long at, long last) {
        if (isRun()) {
            return size == 0 ? last : at < last ? -1 : at + size;
        }
        long end = last;
        if (parts != null) {
            for (Part part : parts) {
                end = end < 0 ? -1 : part.layout.endOfAscending(at + part.at, end);
            }
            return end;
        }
        end = inner.endOfAscending(at, last);
        long second = end < 0 ? -1 : inner.endOfAscending(at + stride, end); // and so on: all distances are the same
        return second < 0 ? -1 : second + (count - 2) * stride;
    }

    private boolean isRun() {
        return inner == null && parts == null;
    }

    /** Elements side by side. */
    Layout times(long elements) {
        return repeat(elements, extent, this);
    }

    /** Whether data are side by side from the origin on, and so are several elements. */
    boolean isDense() {
        return isRun() && extent == size;
    }

    /** Copies the data at {@code at} of {@code from} to a place where they lie side by side; returns where they end. */
    long pack(MemorySegment from, long at, MemorySegment to, long position) {
        if (isRun()) {
            copy(from, at, to, position, size);
            return position + size;
        }
        long end = position;
        if (parts != null) {
            for (Part part : parts) {
                end = part.layout.pack(from, at + part.at, to, end);
            }
            return end;
        }
        boolean isOfRuns = inner.isRun(); // the usual case, without a call for each
        for (long i = 0, next = at; i < count; i++, next += stride) {
            if (isOfRuns) {
                copy(from, next, to, end, inner.size);
                end += inner.size;
            } else {
                end = inner.pack(from, next, to, end);
            }
        }
        return end;
    }

    /** Copies data that lie side by side, and end at {@code end}, to their places; returns where the rest begins. */
    long unpack(MemorySegment from, long position, long end, MemorySegment to, long at) {
        if (isRun()) {
            long bytes = Math.min(size, end - position);
            copy(from, position, to, at, bytes);
            return position + bytes;
        }
        long rest = position;
        if (parts != null) {
            for (Part part : parts) {
                rest = part.layout.unpack(from, rest, end, to, at + part.at);
            }
            return rest;
        }
        boolean isOfRuns = inner.isRun();
        for (long i = 0, next = at; i < count && rest < end; i++, next += stride) {
            if (isOfRuns) {
                long bytes = Math.min(inner.size, end - rest);
                copy(from, rest, to, next, bytes);
                rest += bytes;
            } else {
                rest = inner.unpack(from, rest, end, to, next);
            }
        }
        return rest;
    }

    /** Copies the first bytes of data, gaps left out, to the same places of other memory; returns how many are left. */
    long move(MemorySegment from, long at, MemorySegment to, long place, long bytes) {
        if (isRun()) {
            long moved = Math.min(size, bytes);
            copy(from, at, to, place, moved);
            return bytes - moved;
        }
        long rest = bytes;
        if (parts != null) {
            for (Part part : parts) {
                rest = part.layout.move(from, at + part.at, to, place + part.at, rest);
            }
            return rest;
        }
        for (long i = 0, next = 0; i < count && rest > 0; i++, next += stride) {
            rest = inner.move(from, at + next, to, place + next, rest);
        }
        return rest;
    }

    private static void copy(MemorySegment from, long at, MemorySegment to, long position, long bytes) {
        if (bytes == 8) {
            to.set(EIGHT, position, from.get(EIGHT, at));
        } else if (bytes == 4) {
            to.set(FOUR, position, from.get(FOUR, at));
        } else {
            MemorySegment.copy(from, at, to, position, bytes);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Seek;
import dev.mpiglot.mpi.Element.Integral;
import java.util.function.BiFunction;

/** The operations of windows, files, packed buffers and partitioned messages that take a buffer. */
@SuppressWarnings("try")
final class FormAccesses {

    private FormAccesses() {
    }

    static void addAll() {
        windows();
        files();
        local();
    }

    /** Accesses, all of which the target sees in the end, since its values are fetched. */
    private static void access(String name, BiFunction<Window<Integral>, FormUses, Request> begin) {
        FormOperations.add("Window." + name, u -> {
            u.world.barrier();
            try (Epoch epoch = u.window().lockAll()) {
                u.window().put(u.sent(Math.max(1, u.n)), u.rank, 0);
            }
            u.world.barrier();
            try (Epoch epoch = u.window().lockAll()) {
                Request begun = begin.apply(u.window(), u);
                if (begun != null) {
                    begun.await();
                }
            }
            u.world.barrier();
            try (Epoch epoch = u.window().lockAll()) {
                u.window().get(u.room(Math.max(1, u.n)), u.rank, 0);
            }
        });
    }

    private static void windows() {
        access("put", (window, u) -> {
            window.put(u.sent(u.n), u.right(), 0);
            return null;
        });
        access("get", (window, u) -> {
            window.get(u.room(u.n), u.right(), 0);
            return null;
        });
        access("accumulate", (window, u) -> {
            window.accumulate(u.sent(u.n), u.right(), 0, u.op);
            return null;
        });
        access("getAccumulate", (window, u) -> {
            window.getAccumulate(u.sent(u.n), u.room(u.n), u.right(), 0, u.op);
            return null;
        });
        access("fetchAndOp", (window, u) -> {
            window.fetchAndOp(u.sent(1), u.room(1), u.right(), 0, u.op);
            return null;
        });
        access("compareAndSwap", (window, u) -> {
            if (window.kind().isIntegral() && !u.isLogical()) {
                window.compareAndSwap(u.sent(1), u.room(1), u.room(1), u.right(), 0);
            }
            return null;
        });
        made("createWindow", (u, memory) -> u.world.createWindow(memory));
        made("createWindow with hints", (u, memory) -> u.world.createWindow(memory, null));
        FormOperations.add("Window.attach", FormAccesses::attached);
        access("rput", (window, u) -> window.rput(u.sent(u.n), u.right(), 0));
        access("rget", (window, u) -> window.rget(u.room(u.n), u.right(), 0));
        access("raccumulate", (window, u) -> window.raccumulate(u.sent(u.n), u.right(), 0, u.op));
        access("rgetAccumulate", (window, u) -> window.rgetAccumulate(u.sent(u.n), u.room(u.n), u.right(), 0, u.op));
    }

    interface Making {
        Window<Integral> of(FormUses u, MpiBuffer<Integral> memory);
    }

    /** Windows of memory that is not copied; the others are refused. */
    private static void made(String name, Making making) {
        FormOperations.add(name, u -> {
            MpiBuffer<Integral> memory = u.sent(Math.max(1, u.n));
            MpiBuffer<Integral> got = u.room(Math.max(1, u.n));
            if (WindowTests.lacksWindows(u.world)) {
                u.world.sendrecv(memory, u.rank, got, u.rank, 5);
                return;
            }
            try (Window<Integral> window = making.of(u, memory); Epoch epoch = window.lockAll()) {
                window.get(got, u.rank, 0);
            } catch (IllegalArgumentException e) {
                instead(u, memory, got, e);
            }
        });
    }

    /** Throws unless memory was refused for a reason; moves the values in another way. */
    private static void instead(FormUses u, MpiBuffer<Integral> memory, MpiBuffer<Integral> got,
            IllegalArgumentException reason) {
        String told = reason.getMessage();
        boolean hasReason = memory.isCopied() ? told.contains("that is copied for MPI: take MpiBuffer.allocate")
                : LibraryDefects.ROUNDS_WINDOWS && (told.contains("multiple of 16") || told.contains("could not take part"));
        if (!hasReason) {
            throw reason;
        }
        u.world.sendrecv(memory, u.rank, got, u.rank, 5);
    }

    private static void attached(FormUses u) {
        MpiBuffer<Integral> memory = u.sent(Math.max(1, u.n));
        MpiBuffer<Integral> got = u.room(Math.max(1, u.n));
        if (WindowTests.lacksWindows(u.world)) {
            u.world.sendrecv(memory, u.rank, got, u.rank, 5);
            return;
        }
        Window<Integral> window = u.objects.dynamic(u.kind());
        try (Epoch epoch = window.lockAll()) {
            window.get(got, u.rank, window.attach(memory));
        } catch (IllegalArgumentException e) {
            instead(u, memory, got, e);
            return;
        }
        window.detach(memory);
    }

    interface Transfers {
        void move(MpiFile file, MpiBuffer<Integral> data, long at);
    }

    /** Two accesses of the same sort: what is written is read. */
    private static void transfers(String name, Transfers write, Transfers read) {
        FormOperations.add("MpiFile." + name, u -> {
            MpiFile file = u.file();
            long at = (long) u.rank * u.n;
            file.seek(at, Seek.SET);
            file.seekShared(0, Seek.SET);
            write.move(file, u.sent(u.n), at);
            file.seek(at, Seek.SET);
            file.seekShared(0, Seek.SET);
            read.move(file, u.room(u.n), at);
        });
    }

    private static void files() {
        transfers("write", (file, data, at) -> file.write(data), (file, data, at) -> file.read(data));
        transfers("iwrite", (file, data, at) -> file.iwrite(data).await(), (file, data, at) -> file.iread(data).await());
        transfers("writeAll", (file, data, at) -> file.writeAll(data), (file, data, at) -> file.readAll(data));
        transfers("iwriteAll", (file, data, at) -> file.iwriteAll(data).await(),
                (file, data, at) -> file.ireadAll(data).await());
        transfers("writeAllBegin", (file, data, at) -> file.writeAllBegin(data).end(),
                (file, data, at) -> file.readAllBegin(data).end());
        transfers("writeAt", (file, data, at) -> file.writeAt(at, data), (file, data, at) -> file.readAt(at, data));
        transfers("iwriteAt", (file, data, at) -> file.iwriteAt(at, data).await(),
                (file, data, at) -> file.ireadAt(at, data).await());
        transfers("writeAtAll", (file, data, at) -> file.writeAtAll(at, data),
                (file, data, at) -> file.readAtAll(at, data));
        transfers("iwriteAtAll", (file, data, at) -> file.iwriteAtAll(at, data).await(),
                (file, data, at) -> file.ireadAtAll(at, data).await());
        transfers("writeAtAllBegin", (file, data, at) -> file.writeAtAllBegin(at, data).end(),
                (file, data, at) -> file.readAtAllBegin(at, data).end());
        transfers("writeOrdered", (file, data, at) -> file.writeOrdered(data), (file, data, at) -> file.readOrdered(data));
        transfers("writeOrderedBegin", (file, data, at) -> file.writeOrderedBegin(data).end(),
                (file, data, at) -> file.readOrderedBegin(data).end());
        // Only one process uses the shared position, since nothing says which one would be the first.
        shared("writeShared", MpiFile::writeShared, MpiFile::readShared);
        shared("iwriteShared", (file, data) -> file.iwriteShared(data).await(),
                (file, data) -> file.ireadShared(data).await());
    }

    interface Shared {
        void move(MpiFile file, MpiBuffer<Integral> data);
    }

    private static void shared(String name, Shared write, Shared read) {
        transfers(name, (file, data, at) -> {
            if (at == 0) {
                write.move(file, data);
            }
        }, (file, data, at) -> {
            if (at == 0) {
                read.move(file, data);
            }
        });
    }

    private static void local() {
        FormOperations.add("PackedBuffer.pack", u -> {
            MpiBuffer<Integral> data = u.sent(u.n);
            long room = 32L * u.n + 64;
            PackedBuffer packed = KnownDefects.has("pack-external-keeps-byte-order") ? PackedBuffer.allocate(u.world, room)
                    : PackedBuffer.external(room);
            Check.isTrue(packed.sizeOf(data) >= (long) u.n * u.kind().size(), "size of " + packed.sizeOf(data));
            packed.pack(data);
            packed.rewind();
            packed.unpack(u.room(u.n));
        });
        FormOperations.add("psendInit", u -> {
            MpiBuffer<Integral> out = u.sent(u.n);
            MpiBuffer<Integral> in = u.room(u.n);
            if (out.isCopied()) {
                refused(() -> u.world.psendInit(out, 1, u.right(), 4));
                refused(() -> u.world.precvInit(in, 1, u.left(), 4));
                u.world.sendrecv(out, u.right(), in, u.left(), 4);
            } else {
                partitioned(u, out, in);
            }
        });
    }

    private static void refused(Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains("copied for MPI"), told);
    }

    private static void partitioned(FormUses u, MpiBuffer<Integral> out, MpiBuffer<Integral> in) {
        try (PartitionedSend send = u.world.psendInit(out, 1, u.right(), 4);
                PartitionedReceive receive = u.world.precvInit(in, 1, u.left(), 4)) {
            Request got = receive.start();
            Request sent = send.start();
            send.ready(0);
            sent.await();
            got.await();
        } catch (UnavailableException e) {
            u.world.sendrecv(out, u.right(), in, u.left(), 4);
        }
    }
}

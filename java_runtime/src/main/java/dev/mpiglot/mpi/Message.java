package dev.mpiglot.mpi;

import dev.mpiglot.low.MessageHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A message that a probe took out of matching ({@link Comm#mprobe}, {@link Comm#improbe}): no other receive can get it. Any
 * thread may receive it, once; a second receive throws an {@link IllegalStateException}. A message that nobody receives
 * is told when MPI is closed.
 */
public final class Message implements MessageReceives {

    private static final AtomicInteger UNRECEIVED = new AtomicInteger();

    private final Comm comm;
    private final MessageHandle handle;
    private final Status status;
    private final AtomicBoolean taken = new AtomicBoolean();

    Message(Comm comm, MessageHandle handle, Status status) {
        this.comm = comm;
        this.handle = handle;
        this.status = status;
        if (!isFromNobody()) {
            UNRECEIVED.incrementAndGet();
        }
    }

    /** How many messages were taken and not received. */
    static int unreceived() {
        return UNRECEIVED.get();
    }

    private boolean isFromNobody() {
        return handle.equals(MessageHandle.NO_PROC);
    }

    private static IllegalStateException received() {
        return new IllegalStateException("The message was received before: a probe takes a message for one receive.");
    }

    Call begin() {
        if (taken.get()) {
            throw received();
        }
        Backlog.beforeBegin();
        return new Call(comm);
    }

    MessageHandle take() {
        if (!taken.compareAndSet(false, true)) {
            throw received();
        }
        if (!isFromNobody()) {
            UNRECEIVED.decrementAndGet();
        }
        return handle;
    }

    /** {@return what is known of the message; its length tells how large a buffer must be} */
    public Status status() {
        return status;
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not receive the message}
     *
     * @throws IllegalStateException if the message was received
     */
    public MessageHandle handle() {
        if (taken.get()) {
            throw received();
        }
        return handle;
    }

    @Override
    public String toString() {
        return "message of " + status.bytes() + " bytes from rank " + status.source() + " with tag " + status.tag();
    }
}

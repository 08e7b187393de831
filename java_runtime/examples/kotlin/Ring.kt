/** MPI in Kotlin: a sum, a message around a ring, an own operation, and a communicator of neighbours. */
package ring

import dev.mpiglot.mpi.MpiBuffer
import dev.mpiglot.mpi.Comm
import dev.mpiglot.mpi.Datatype
import dev.mpiglot.mpi.Mpi
import dev.mpiglot.mpi.Op

fun main() = Mpi.run { mpi ->
    val world = mpi.world()
    sums(world)
    ring(world)
    ownOperation(world)
    pairs(world)
    if (world.rank() == 0) {
        println("kotlin: ok on ${world.size()} ranks")
    }
}

/** A buffer outside the heap: MPI reads and writes it where it is. */
private fun sums(world: Comm) {
    val sums = MpiBuffer.allocate(Datatype.DOUBLE, 3)
    for (i in 0L until 3L) {
        sums.setDouble(i, 0.5 * i + world.rank())
    }
    world.allreduce(sums, Op.SUM)
    val ofRanks = world.size() * (world.size() - 1) / 2.0
    for (i in 0L until 3L) {
        check(sums.getDouble(i) == 0.5 * i * world.size() + ofRanks) { "element $i is ${sums.getDouble(i)}" }
    }
}

/** Each rank adds itself to what comes from the left; an array is as good as a buffer. */
private fun ring(world: Comm) {
    val last = world.size() - 1
    val token = intArrayOf(0)
    if (world.rank() > 0) {
        val status = world.recv(token, world.rank() - 1, 1)
        check(status.source() == world.rank() - 1)
    }
    token[0] += world.rank()
    if (world.rank() < last) {
        world.send(token, world.rank() + 1, 1)
    } else {
        check(token[0] == last * (last + 1) / 2) { "the ring has ${token[0]}" }
    }
}

/** A function of Kotlin is an operation; `use` frees it. */
private fun ownOperation(world: Comm) =
    Op.ofInts(true, ::gcd).use { op ->
        val values = intArrayOf(12 * (world.rank() + 1), 7)
        world.allreduce(values, op)
        check(values.contentEquals(intArrayOf(12, 7))) { values.contentToString() }
    }

private tailrec fun gcd(a: Int, b: Int): Int = if (b == 0) a else gcd(b, a % b)

private fun pairs(world: Comm) =
    world.split(world.rank() / 2, 0).use { pair ->
        check(pair.rank() == world.rank() % 2 && pair.size() <= 2)
    }

/** MPI in Scala: a sum, a message around a ring, an own operation, and a communicator of neighbours. */
package ring

import dev.mpiglot.mpi.{MpiBuffer, Comm, Datatype, Mpi, Op}
import scala.util.Using

@main def run(): Unit = Mpi.run { mpi =>
  val world = mpi.world
  sums(world)
  ring(world)
  ownOperation(world)
  pairs(world)
  if world.rank == 0 then println(s"scala: ok on ${world.size} ranks")
}

/** A buffer outside the heap: MPI reads and writes it where it is. */
private def sums(world: Comm): Unit =
  val sums = MpiBuffer.allocate(Datatype.DOUBLE, 3)
  for i <- 0 until 3 do sums.setDouble(i, 0.5 * i + world.rank)
  world.allreduce(sums, Op.SUM)
  val ofRanks = world.size * (world.size - 1) / 2.0
  for i <- 0 until 3 do check(sums.getDouble(i) == 0.5 * i * world.size + ofRanks, s"element $i is ${sums.getDouble(i)}")

/** Each rank adds itself to what comes from the left; an array is as good as a buffer. */
private def ring(world: Comm): Unit =
  val last = world.size - 1
  val token = Array(0)
  if world.rank > 0 then
    val status = world.recv(token, world.rank - 1, 1)
    check(status.source == world.rank - 1, s"the token came from ${status.source}")
  token(0) += world.rank
  if world.rank < last then world.send(token, world.rank + 1, 1)
  else check(token(0) == last * (last + 1) / 2, s"the ring has ${token(0)}")

/** A function of Scala is an operation; `Using.resource` frees it. */
private def ownOperation(world: Comm): Unit =
  Using.resource(Op.ofInts(true, gcd)) { op =>
    val values = Array(12 * (world.rank + 1), 7)
    world.allreduce(values, op)
    check(values.sameElements(Array(12, 7)), values.mkString(" "))
  }

private def gcd(a: Int, b: Int): Int = if b == 0 then a else gcd(b, a % b)

private def pairs(world: Comm): Unit =
  Using.resource(world.split(world.rank / 2, 0)) { pair =>
    check(pair.rank == world.rank % 2 && pair.size <= 2, s"rank ${pair.rank} of ${pair.size}")
  }

private def check(fine: Boolean, what: => String): Unit = if !fine then throw AssertionError(what)

//! Two ranks send an integer back and forth; the same source on every MPI the crate was made for.

use mpi_declarations::*;
use std::os::raw::{c_int, c_void};
use std::ptr;

const ROUNDS: c_int = 100;

fn must(code: c_int, what: &str) {
    assert!(code == MPI_SUCCESS, "{what} returned {code}");
}

fn main() {
    unsafe {
        must(MPI_Init(ptr::null_mut(), ptr::null_mut()), "MPI_Init");
        let (mut rank, mut size): (c_int, c_int) = (0, 0);
        must(MPI_Comm_rank(MPI_COMM_WORLD, &mut rank), "MPI_Comm_rank");
        must(MPI_Comm_size(MPI_COMM_WORLD, &mut size), "MPI_Comm_size");
        assert!(size == 2, "a ping-pong takes two ranks, not {size}");
        let mut ball: c_int = 0;
        for round in 0..ROUNDS {
            if round % 2 == rank {
                ball += 1;
                let ball: *const c_int = &ball;
                let code = MPI_Send(ball as *const c_void, 1, MPI_INT, 1 - rank, round, MPI_COMM_WORLD);
                must(code, "MPI_Send");
            } else {
                let mut status: MPI_Status = std::mem::zeroed();
                let room: *mut c_int = &mut ball;
                let code = MPI_Recv(
                    room as *mut c_void, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &mut status,
                );
                must(code, "MPI_Recv");
                assert!(status.MPI_SOURCE == 1 - rank && status.MPI_TAG == round);
            }
        }
        assert!(ball == ROUNDS, "{ball} of {ROUNDS} passes counted");
        if rank == 0 {
            println!("ping-pong in Rust: {ball} passes between {size} ranks");
        }
        must(MPI_Finalize(), "MPI_Finalize");
    }
}

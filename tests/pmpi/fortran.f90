! Fortran's functions that MPI calls: its own library hands them on to C's functions.
module called
  implicit none
  include 'mpif.h'
contains
  subroutine add_twice(a, b, n, kind)
    integer :: n, kind, a(n), b(n)
    b = 2 * a + b
  end subroutine

  subroutine copy(object, key, state, value, copied, flag, code)
    integer :: object, key, code
    integer(MPI_ADDRESS_KIND) :: state, value, copied
    logical :: flag
    copied = value + state
    flag = .true.
    code = MPI_SUCCESS
  end subroutine

  subroutine remove(object, key, value, state, code)
    integer :: object, key, code
    integer(MPI_ADDRESS_KIND) :: value, state
    print *, 'removed', value, state
    code = MPI_SUCCESS
  end subroutine

  subroutine complain(comm, code)
    integer :: comm, code
    print *, 'handler', code /= MPI_SUCCESS
  end subroutine

  subroutine tell(state, status, code)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: status(MPI_STATUS_SIZE), code
    call MPI_Status_set_elements(status, MPI_INTEGER, int(state), code)
    call MPI_Status_set_cancelled(status, .false., code)
    status(MPI_SOURCE) = MPI_UNDEFINED
    status(MPI_TAG) = 9
    code = MPI_SUCCESS
  end subroutine

  subroutine let_go(state, code)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: code
    print *, 'let go', state
    code = MPI_SUCCESS
  end subroutine

  subroutine cancel(state, complete, code)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: code
    code = MPI_SUCCESS
  end subroutine
end module

program fortran
  use called
  integer :: rank, ranks, code, op, total, key, comm, kind, kind2, win, request, handler, elements
  integer :: status(MPI_STATUS_SIZE), memory(1)
  integer(MPI_ADDRESS_KIND) :: value, state
  logical :: flag
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)

  call MPI_Op_create(add_twice, .false., op, code)
  call MPI_Allreduce(rank + 1, total, 1, MPI_INTEGER, op, MPI_COMM_WORLD, code)
  call MPI_Op_free(op, code)
  print *, 'in twos', total > ranks

  state = 7
  value = 42
  call MPI_Comm_create_keyval(copy, remove, key, state, code)
  call MPI_Comm_dup(MPI_COMM_SELF, comm, code)
  call MPI_Comm_set_attr(comm, key, value, code)
  call MPI_Comm_free_keyval(key, code)
  call MPI_Comm_dup(comm, handler, code)
  call MPI_Comm_free(handler, code)
  call MPI_Comm_free(comm, code)

  call MPI_Type_create_keyval(copy, remove, key, state, code)
  call MPI_Type_contiguous(3, MPI_INTEGER, kind, code)
  call MPI_Type_set_attr(kind, key, value, code)
  call MPI_Type_dup(kind, kind2, code)
  call MPI_Type_get_attr(kind2, key, value, flag, code)
  print *, 'of a type', value, flag
  call MPI_Type_free(kind, code)
  call MPI_Type_free(kind2, code)

  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, remove, key, state, code)
  value = 4
  call MPI_Win_create(memory, value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win, code)
  call MPI_Win_set_attr(win, key, value, code)
  call MPI_Win_free(win, code)

  state = 5
  call MPI_Grequest_start(tell, let_go, cancel, state, request, code)
  call MPI_Grequest_complete(request, code)
  call MPI_Wait(request, status, code)
  call MPI_Get_elements(status, MPI_INTEGER, elements, code)
  print *, 'generalized', elements, status(MPI_TAG)

  call MPI_Comm_create_errhandler(complain, handler, code)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, code)
  call MPI_Errhandler_free(handler, code)
  call MPI_Send(rank, 1, MPI_INTEGER, 1000, 6, MPI_COMM_WORLD, code)
  print *, 'refused', code /= MPI_SUCCESS
  call MPI_Finalize(code)
end program

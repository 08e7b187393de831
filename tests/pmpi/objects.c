/* Local objects: groups, datatypes and what they were made of, names, info, topologies, packing. */
#include "say.h"

static void show(const char *what, const int *values, int count) {
  char line[512] = "";
  for (int i = 0; i < count; ++i)
    snprintf(line + strlen(line), sizeof line - strlen(line), " %d", values[i]);
  say("%s:%s", what, line);
}

static void describe(const char *what, MPI_Datatype type) {
  int integers, addresses, types, combiner, values[32];
  MPI_Aint where[32], lower, extent, true_lower, true_extent;
  MPI_Datatype inner[32];
  int bytes;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  MPI_Type_size(type, &bytes);
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  say("%s: %d %d %d, %d bytes, %d + %d, %d + %d", what, integers, addresses, types, bytes,
      (int)lower, (int)extent, (int)true_lower, (int)true_extent);
  if (combiner == MPI_COMBINER_NAMED) return;
  MPI_Type_get_contents(type, integers, addresses, types, values, where, inner);
  show("made of", values, integers);
  for (int i = 0; i < addresses; ++i) say("at %d", (int)where[i]);
}

/* Sizes of 64 bits: an MPI without large twins has them through MPI 3's functions only. */
static void describe_large(void) {
  MPI_Datatype block, blocks;
  MPI_Aint lower, extent;
  MPI_Count wide = 7, true_lower = 7, true_extent = 7;
  MPI_Status status;
  int count = 7, code;
  MPI_Type_contiguous(1 << 30, MPI_INT, &block);
  MPI_Type_contiguous(4, block, &blocks);
  code = MPI_Type_size(blocks, &count);
  say("size in an int: %d %d", outcome(code), count);
  MPI_Type_size_x(blocks, &wide);
  MPI_Type_get_extent(blocks, &lower, &extent);
  MPI_Type_get_true_extent_x(blocks, &true_lower, &true_extent);
  say("%lld, %ld + %ld, %lld + %lld", (long long)wide, (long)lower, (long)extent,
      (long long)true_lower, (long long)true_extent);
  MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)1 << 34);
  code = MPI_Get_elements(&status, MPI_BYTE, &count);
  say("elements in an int: %d %d", outcome(code), count);
  MPI_Get_elements_x(&status, MPI_BYTE, &wide);
  MPI_Status_set_elements(&status, MPI_INT, 5);
  MPI_Get_elements(&status, MPI_INT, &count);
  say("%lld, then %d", (long long)wide, count);
  MPI_Type_free(&block);
  MPI_Type_free(&blocks);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  said_rank = rank;

  MPI_Datatype made[8];
  const int lengths[3] = {1, 0, 2}, places[3] = {0, 4, 9};
  const MPI_Aint bytes[3] = {0, 16, 40};
  const MPI_Datatype of[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
  const int sizes[2] = {4, 6}, part[2] = {2, 3}, start[2] = {1, 2};
  MPI_Type_vector(3, 2, 5, MPI_INT, &made[0]);
  MPI_Type_indexed(3, lengths, places, MPI_INT, &made[1]);
  MPI_Type_create_struct(3, lengths, bytes, of, &made[2]);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_SHORT, &made[3]);
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &made[4]);
  MPI_Type_create_resized(MPI_INT, -4, 32, &made[5]);
  MPI_Type_create_indexed_block(3, 1, places, MPI_INT, &made[6]);
  const int whole[1] = {12}, block[1] = {MPI_DISTRIBUTE_BLOCK}, grid[1] = {size};
  const int default_argument[1] = {MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Type_create_darray(size, rank, 1, whole, block, default_argument, grid, MPI_ORDER_C, MPI_INT,
                         &made[7]);
  const char *titles[8] = {"vector",   "indexed", "struct", "hindexed",
                           "subarray", "resized", "blocks", "darray"};
  for (int i = 0; i < 8; ++i) describe(titles[i], made[i]);
  describe("int", MPI_INT);
  describe_large();
  char name[MPI_MAX_OBJECT_NAME] = "xxxx";
  int length = -1;
  MPI_Type_get_name(MPI_INT, name, &length);
  say("%s %d", name, length);
  MPI_Type_get_name(made[0], name, &length);
  say("no name: %d <%s>", length, name);
  MPI_Type_set_name(made[0], "column");
  MPI_Type_get_name(made[0], name, &length);
  say("%s %d", name, length);
  MPI_Type_commit(&made[0]);
  int from[16], to[16], position = 0;
  char packed[256];
  for (int i = 0; i < 16; ++i) from[i] = i, to[i] = -1;
  MPI_Pack(from, 1, made[0], packed, sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Pack(&from[15], 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
  int room = -1, back = 0;
  MPI_Pack_size(1, made[0], MPI_COMM_WORLD, &room);
  MPI_Unpack(packed, position, &back, to, 7, MPI_INT, MPI_COMM_WORLD);
  say("packed %d, room %d, unpacked %d", position, room >= 24, back);
  show("unpacked", to, 8);
  MPI_Aint place = 0, external = -1;
  MPI_Pack_external_size("external32", 2, MPI_INT, &external);
  MPI_Pack_external("external32", from, 2, MPI_INT, packed, sizeof packed, &place);
  say("external: %d of %d", (int)place, (int)external);
  for (int i = 0; i < 8; ++i) MPI_Type_free(&made[i]);
  MPI_Datatype matched = MPI_DATATYPE_NULL;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &matched);
  say("eight bytes of real %d", matched != MPI_DATATYPE_NULL);

  MPI_Group world, some, others, both;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranges[1][3] = {{0, size - 1, 2}};
  MPI_Group_range_incl(world, 1, ranges, &some);
  MPI_Group_range_excl(world, 1, ranges, &others);
  MPI_Group_union(others, some, &both);
  int ranks[8], translated[8], same = -1;
  for (int i = 0; i < size; ++i) ranks[i] = i;
  MPI_Group_translate_ranks(world, size, ranks, both, translated);
  show("translated", translated, size);
  MPI_Group_translate_ranks(world, size, ranks, some, translated);
  say("missing: undefined %d", size > 1 && translated[1] == MPI_UNDEFINED);
  MPI_Group_compare(world, both, &same);
  say("similar %d", same == MPI_SIMILAR || same == MPI_IDENT);
  MPI_Comm part_of = MPI_COMM_SELF;
  MPI_Comm_create(MPI_COMM_WORLD, some, &part_of);
  say("in the first half %d", part_of != MPI_COMM_NULL);
  if (part_of != MPI_COMM_NULL) MPI_Comm_free(&part_of);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, -rank, &part_of);
  if (part_of != MPI_COMM_NULL) {
    MPI_Comm_rank(part_of, &same);
    say("backwards %d", same);
    MPI_Comm_free(&part_of);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&some);
  MPI_Group_free(&others);
  MPI_Group_free(&both);
  MPI_Comm_set_name(MPI_COMM_SELF, "only me");
  MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
  say("%s %d", name, length);

  MPI_Comm cart;
  int dims[2] = {size, 1}, periods[2] = {1, 0}, coordinates[2] = {7, 7}, source = 7, dest = 7;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  MPI_Cart_get(cart, 2, dims, periods, coordinates);
  show("coordinates", coordinates, 2);
  MPI_Cart_shift(cart, 1, 1, &source, &dest);
  say("beyond the edge %d", source == MPI_PROC_NULL && dest == MPI_PROC_NULL);
  const int remain[2] = {1, 0};
  MPI_Comm line;
  MPI_Cart_sub(cart, remain, &line);
  MPI_Cartdim_get(line, &length);
  int kind = -1;
  MPI_Topo_test(line, &kind);
  MPI_Cart_rank(cart, coordinates, &same);
  say("%d dimension, cartesian %d, rank %d", length, kind == MPI_CART, same);
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  say("no topology %d", kind == MPI_UNDEFINED);
  MPI_Comm_free(&line);
  MPI_Comm_free(&cart);
  const int index[4] = {1, 2, 3, 4}, edges[4] = {1 % size, 2 % size, 3 % size, 0};
  int nodes = -1, arcs = -1;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &cart);
  MPI_Graphdims_get(cart, &nodes, &arcs);
  int neighbours[4] = {-1, -1, -1, -1};
  MPI_Graph_neighbors(cart, rank, 1, neighbours);
  say("graph %d %d, next %d", nodes, arcs, neighbours[0]);
  MPI_Comm_free(&cart);

  MPI_Info info, copy;
  char value[MPI_MAX_INFO_VAL + 1] = "before", key[MPI_MAX_INFO_KEY + 1] = "";
  int flag = 77, keys = -1;
  MPI_Info_create(&info);
  MPI_Info_set(info, "size", "large enough");
  MPI_Info_set(info, "empty", " ");
  MPI_Info_dup(info, &copy);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  say("cut: %d", outcome(MPI_Info_get(copy, "size", 5, value, &flag)));
  say("it is: %s %d", value, flag);
  MPI_Info_get(copy, "nothing", 5, value, &flag);
  say("left: %s %d", value, flag);
  MPI_Info_get_valuelen(copy, "size", &length, &flag);
  say("length %d %d", length, flag);
  length = 77;
  MPI_Info_get_valuelen(copy, "nothing", &length, &flag);
  say("left: %d %d", length, flag);
  MPI_Info_get_nkeys(copy, &keys);
  for (int i = 0; i < keys; ++i) {
    MPI_Info_get_nthkey(copy, i, key);
    say("key %d %s", i, key);
  }
  MPI_Info_delete(copy, "size");
  MPI_Info_free(&copy);
  MPI_Info_free(&info);
  say("gone %d", info == MPI_INFO_NULL);

  MPI_Comm local, inter, merged;
  if (size > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_remote_size(inter, &length);
    say("inter %d, remote %d", flag, length);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Comm_rank(merged, &length);
    say("merged as %d", length);
    int sum = rank, total = -1;
    MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, inter);
    say("of the others %d", total);
    int given = rank, taken = -1;
    MPI_Bcast(rank % 2 ? &taken : &given, 1, MPI_INT,
              rank % 2    ? 0
              : rank == 0 ? MPI_ROOT
                          : MPI_PROC_NULL,
              inter);
    say("from the other side %d", taken);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
  }
  MPI_Finalize();
  return 0;
}

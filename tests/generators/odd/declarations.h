/* Declarations that MPI's own headers do not have (yet), each with something odd about it. Names that
   C++ reserves are there for C only. */
typedef int (*MPIX_Callback)(int, void *);
typedef struct MPIX_Opaque *MPIX_Thing;
typedef struct {
  int a;
  double b[3];
} MPIX_Pair;
typedef union {
  int i;
  float f;
} MPIX_Union;
typedef enum { MPIX_RED, MPIX_GREEN } MPIX_Color;
enum other { MPIX_O1, MPIX_O2 };

/* Declarators. */
int MPIX_Raw(int (*fn)(void *, int), void *state);
int (*MPIX_Get_fn(int which))(int, int);
int (*MPIX_Get_array(void))[4];
int MPIX_Fn_void(void (*fn)(void));
int MPIX_Cb_in_cb(int (*fn)(int (*)(int), int));
int MPIX_Fn_of_fn(int (*(*f)(int))(double));
int MPIX_Fn_plain(int f(int, int), void g(void));
int MPIX_Fn_array(MPIX_Callback fns[], int n);
int MPIX_Callbacks(MPIX_Callback f, MPIX_Callback *g, void *extra_state);
MPIX_Callback MPIX_Get_callback(void);
int MPIX_Array_ptr(int (*a)[3]);
int MPIX_Matrix(int n, int a[][3], const int b[2][4]);
int MPIX_Arrays(int a[], int b[2], char c[8], char *d[], const char *const e[]);
int MPIX_Ptr_ptr(int **a, void ***b);
int MPIX_Const_ptr(int *const a, const int *const b);
int MPIX_Volatile(volatile int *p, const volatile void *q);
int MPIX_Var(int n, ...);
int MPIX_Unnamed(int, double, void *, const char *);

/* Types. */
void MPIX_Void(void);
void MPIX_Nothing(int x, void *y);
double MPIX_Reals(float x, long double y);
long double MPIX_Long_double(void);
unsigned long long MPIX_Unsigned(unsigned long long x, unsigned long n, short s, unsigned char c);
const char *MPIX_Name(int which);
char **MPIX_Names(void);
void *MPIX_Pointer(long n);
int MPIX_Struct(MPIX_Pair p, MPIX_Pair *out);
MPIX_Pair MPIX_Return_struct(int x);
int MPIX_Union_value(MPIX_Union u);
int MPIX_Enums(MPIX_Color c, MPIX_Color *out, enum other o);
int MPIX_Struct_tag(struct MPIX_Opaque *p);
int MPIX_Wide(__WCHAR_TYPE__ *w);
int MPIX_Int128(__int128 x);
MPI_Comm MPIX_Return_comm(void);
MPIX_Thing MPIX_Return_thing(int x);
int MPIX_Comm_thing(MPI_Comm comm, MPIX_Thing *thing);
MPI_Status MPIX_Return_status(void);
int MPIX_Status_value(MPI_Status s, const MPI_Status *t);
int MPIX_Statuses(int count, MPI_Status statuses[]);
int MPIX_Waits(const MPI_Request *r, int n);
int MPIX_Types(MPI_Datatype types[], int n, const MPI_Datatype *more);
int MPIX_Twenty(int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
                int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19);
int MPIX_Ten_results(int *a1, int *a2, int *a3, int *a4, int *a5, int *a6, int *a7, int *a8,
                     int *a9, int *a10);

/* Names of functions. */
int MPIX_case(int x);
int MPIX_CASE(int x);
int MPIX_Case(int x);
int MPIX_case_a(int x);
int MPIX_caseA(int x);
int MPIX_New(int x);
int MPIX_Delete(int x);
int MPIX_Class(int x);
int MPIX_Init(int x);
int MPIX_Main(int x);
int MPIX_String(int x);
int MPIX_Error(int x);
int MPIX_Equals(int x);
int MPIX_Hash_code(int x);
int MPIX_To_string(int x);
int MPIX_Get_class(int x);
int MPIX_Notify(int x);
int MPIX_Wait(int x);
int MPIX_Clone(int x);
int MPIX_Type(int x);
int MPIX_Func(int x);
int MPIX_Range(int x);
int MPIX_Len(int x);
int MPIX_Nil(int x);
int MPIX_Import(int x);
int MPIX_Native(int x);
int MPIX_Default(int x);
int MPIX_Switch(int x);
int MPIX_Super(int x);
int MPIX_This(int x);
int MPIX_Int(int x);
int MPIX_Double(int x);
int MPIX_Interface(int x);
int MPIX_Package(int x);
int MPIX_Comm(int x);
int MPIX_Send(int x);
int MPIX_Request(int x);
int MPIX_Group(int x);
int MPIX_Handle(int x);
int MPIX_Buffer(int x);
int MPIX_Mpi(int x);
int MPIX_low(int x);
int MPIX_Object(int x);
int MPIX_Math(int x);
int MPIX_Optional(int x);

/* Names of parameters. */
int MPIX_Cases(int Value, int value, int VALUE, int va_lue);
int MPIX_Letters(int F, int f, int R, int G, int C, int A);
int MPIX_Self_named(int mpix_self_named, int MPIX_Self_named_);
int MPIX_Underscores(int __x, int _, int __, int x_);
int MPIX_Upper(int Char, int Int, int While, int Void, int Double, int _Value);
#ifdef __cplusplus
int MPIX_Static(int a[3]);
int MPIX_Restrict(int *a, const int *b);
int MPIX_Complex(double __complex__ z);
int MPIX_Reserved0(int, int, int, int, int, int, int, int, int);
int MPIX_Reserved0_out(int *, int *, int *, int *, int *, int *, int *, int *, int *);
int MPIX_Reserved1(int, int, int, int, int, int, int, int, int);
int MPIX_Reserved1_out(int *, int *, int *, int *, int *, int *, int *, int *, int *);
int MPIX_Reserved2(int, int, int, int, int, int, int, int, int);
int MPIX_Reserved2_out(int *, int *, int *, int *, int *, int *, int *, int *, int *);
int MPIX_Reserved3(int, int, int, int, int, int, int, int, int);
int MPIX_Reserved3_out(int *, int *, int *, int *, int *, int *, int *, int *, int *);
int MPIX_Reserved4(int, int, int, int, int, int, int, int, int);
int MPIX_Reserved4_out(int *, int *, int *, int *, int *, int *, int *, int *, int *);
int MPIX_Reserved5(int, int, int, int, int, int);
int MPIX_Reserved5_out(int *, int *, int *, int *, int *, int *);
#else
int MPIX_Static(int a[static 3]);
int MPIX_Restrict(int *restrict a, const int *restrict b);
int MPIX_Complex(double _Complex z);
int MPIX_Reserved0(int alignas, int alignof, int and, int and_eq, int bitand, int bitor, int catch,
                   int class, int compl);
int MPIX_Reserved0_out(int *alignas, int * alignof, int *and, int * and_eq, int *bitand,
                       int * bitor, int *catch, int *class, int * compl);
int MPIX_Reserved1(int concept, int consteval, int constexpr, int constinit, int const_cast,
                   int co_await, int co_return, int co_yield, int decltype);
int MPIX_Reserved1_out(int *concept, int *consteval, int *constexpr, int *constinit,
                       int *const_cast, int *co_await, int *co_return, int *co_yield,
                       int *decltype);
int MPIX_Reserved2(int delete, int dynamic_cast, int explicit, int export, int friend, int mutable,
                   int namespace, int new, int noexcept);
int MPIX_Reserved2_out(int *delete, int *dynamic_cast, int *explicit, int *export, int *friend,
                       int *mutable, int *namespace, int *new, int * noexcept);
int MPIX_Reserved3(int not, int not_eq, int nullptr, int operator, int or, int or_eq, int private,
                   int protected, int public);
int MPIX_Reserved3_out(int * not, int * not_eq, int *nullptr, int *operator, int * or, int * or_eq,
                       int *private, int *protected, int *public);
int MPIX_Reserved4(int reinterpret_cast, int requires, int static_assert, int static_cast,
                   int template, int this, int thread_local, int throw, int try);
int MPIX_Reserved4_out(int *reinterpret_cast, int *requires, int *static_assert, int *static_cast,
                       int *template, int *this, int *thread_local, int *throw, int *try);
int MPIX_Reserved5(int typeid, int typename, int using, int virtual, int xor, int xor_eq);
int MPIX_Reserved5_out(int *typeid, int *typename, int *using, int *virtual, int * xor,
                       int * xor_eq);
#endif
int MPIX_Words0(int final, int override, int import, int module, int func, int chan, int defer,
                int fallthrough, int go);
int MPIX_Words0_out(int *final, int *override, int *import, int *module, int *func, int *chan,
                    int *defer, int *fallthrough, int *go);
int MPIX_Words1(int interface, int map, int package, int range, int select, int type, int var,
                int any, int append);
int MPIX_Words1_out(int *interface, int *map, int *package, int *range, int *select, int *type,
                    int *var, int *any, int *append);
int MPIX_Words2(int byte, int cap, int clear, int close, int comparable, int complex, int copy,
                int error, int int8);
int MPIX_Words2_out(int *byte, int *cap, int *clear, int *close, int *comparable, int *complex,
                    int *copy, int *error, int *int8);
int MPIX_Words3(int iota, int len, int make, int max, int min, int nil, int panic, int print,
                int println);
int MPIX_Words3_out(int *iota, int *len, int *make, int *max, int *min, int *nil, int *panic,
                    int *print, int *println);
int MPIX_Words4(int real, int recover, int rune, int string, int uint, int uintptr, int unsafe,
                int abstract, int assert);
int MPIX_Words4_out(int *real, int *recover, int *rune, int *string, int *uint, int *uintptr,
                    int *unsafe, int *abstract, int *assert);
int MPIX_Words5(int boolean, int extends, int finally, int implements, int instanceof, int native,
                int strictfp, int super, int synchronized);
int MPIX_Words5_out(int *boolean, int *extends, int *finally, int *implements, int *instanceof,
                    int *native, int *strictfp, int *super, int *synchronized);
int MPIX_Words6(int throws, int transient, int record, int sealed, int permits, int yield,
                int exports, int opens, int span);
int MPIX_Words6_out(int *throws, int *transient, int *record, int *sealed, int *permits, int *yield,
                    int *exports, int *opens, int *span);
int MPIX_Words7(int result, int detail, int code, int status, int check, int mpi, int std,
                int count_t, int handle);
int MPIX_Words7_out(int *result, int *detail, int *code, int *status, int *check, int *mpi,
                    int *std, int *count_t, int *handle);
int MPIX_Words8(int value, int first, int data, int size, int raw, int fn_, int a, int b, int c);
int MPIX_Words8_out(int *value, int *first, int *data, int *size, int *raw, int *fn_, int *a,
                    int *b, int *c);
int MPIX_Words9(int e, int i, int j, int k, int n, int p, int r, int s, int t);
int MPIX_Words9_out(int *e, int *i, int *j, int *k, int *n, int *p, int *r, int *s, int *t);
int MPIX_Words10(int x, int y, int z, int args, int argv, int frame, int mark, int cell, int cells);
int MPIX_Words10_out(int *x, int *y, int *z, int *args, int *argv, int *frame, int *mark, int *cell,
                     int *cells);
int MPIX_Words11(int address, int segment, int arena, int call, int library, int object, int thread,
                 int math, int system);
int MPIX_Words11_out(int *address, int *segment, int *arena, int *call, int *library, int *object,
                     int *thread, int *math, int *system);
int MPIX_Words12(int override_, int char_, int ok, int err, int c_value, int in_, int out_, int ctx,
                 int fmt);
int MPIX_Words12_out(int *override_, int *char_, int *ok, int *err, int *c_value, int *in_,
                     int *out_, int *ctx, int *fmt);
int MPIX_Words13(int math_, int errors, int slices, int runtime, int bytes, int strings, int sync,
                 int atomic, int low);
int MPIX_Words13_out(int *math_, int *errors, int *slices, int *runtime, int *bytes, int *strings,
                     int *sync, int *atomic, int *low);
int MPIX_Words14(int jni, int info, int comm, int request, int group);
int MPIX_Words14_out(int *jni, int *info, int *comm, int *request, int *group);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up names in the symbols of a module, follows the procedure linkage table, and
   knows the names of system calls. */

#include "mlprof/program/code-names.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/elf/elffile.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct code_names {
    const struct program *program;
    struct machine_code *code;
    struct symbols **symbols; /* one per module; NULL: not yet read */
    struct bindings **bindings;
};

struct code_names *code_names_new(const struct program *program,
                                  struct machine_code *code)
{
    struct code_names *names = buf_alloc(sizeof *names);
    *names = (struct code_names){
        .program = program,
        .code = code,
        .symbols = buf_alloc((program->count + 1) * sizeof *names->symbols),
        .bindings = buf_alloc((program->count + 1) * sizeof *names->bindings)};
    return names;
}

void code_names_free(struct code_names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < names->program->count; i++) {
        symbols_free(names->symbols[i]);
        bindings_free(names->bindings[i]);
    }
    free(names->symbols);
    free(names->bindings);
    free(names);
}

static const char *find_code_name(struct code_names *names, uint32_t module,
                                  uint64_t address, uint64_t *offset)
{
    struct tables *tables = names->program->tables[module];
    struct symbols **symbols = &names->symbols[module];
    if (!*symbols)
        *symbols = symbols_read(tables_path(tables), tables_build_id(tables), true);
    return symbols_find(*symbols, address, offset);
}

const char *code_names_at(struct code_names *names, uint32_t module, uint64_t address)
{
    return find_code_name(names, module, address, NULL);
}

/* Returns the name of the symbol that the dynamic linker binds to the word at SLOT, or
   NULL if the symbol is unknown. */
static const char *binding_symbol(struct code_names *names, uint32_t module,
                                  uint64_t slot)
{
    struct tables *tables = names->program->tables[module];
    struct bindings **bindings = &names->bindings[module];
    const char *name = NULL;
    uint64_t address;
    if (!*bindings)
        *bindings = bindings_read(tables_path(tables), tables_build_id(tables));
    return bindings_slot(*bindings, slot, &name, &address) == BINDINGS_SYMBOL ? name
                                                                              : NULL;
}

/* An entry of the procedure linkage table has one or two instructions. The last of
   them jumps through a slot. */
char *code_names_place(struct code_names *names, uint32_t module, uint64_t address,
                       bool data)
{
    uint64_t offset = 0;
    const char *name = data ? binding_symbol(names, module, address) : NULL;
    if (name)
        return buf_format("%s@got", name);
    name = find_code_name(names, module, address, &offset);
    if (name)
        return offset ? buf_format("%s+0x%" PRIx64, name, offset) : buf_copy(name);
    if (data)
        return NULL;
    struct insns_code entry =
        machine_code_read(names->code, module, address, address + 16);
    for (size_t i = 0; !name && i < entry.count && i < 2; i++)
        if (entry.list[i].slot)
            name = binding_symbol(names, module, entry.list[i].slot);
    free(entry.list);
    return name ? buf_format("%s@plt", name) : NULL;
}

struct outside {
    const struct profile *profile;
    const char *executable;
    struct symbols **symbols; /* one per module; NULL: not yet read */
};

struct outside *outside_new(const struct profile *profile, const char *executable)
{
    struct outside *outside = buf_alloc(sizeof *outside);
    *outside = (struct outside){
        .profile = profile,
        .executable = executable,
        .symbols = buf_alloc((profile->modules.count + 1) * sizeof(struct symbols *))};
    return outside;
}

void outside_free(struct outside *outside)
{
    if (!outside)
        return;
    for (size_t i = 0; i < outside->profile->modules.count; i++)
        symbols_free(outside->symbols[i]);
    free(outside->symbols);
    free(outside);
}

static const char *path_of(const struct outside *outside, uint32_t module)
{
    return module ? outside->profile->modules.list[module].path : outside->executable;
}

const char *outside_symbol(struct outside *outside, uint32_t module, uint64_t address)
{
    if (module == PROFILE_NO_MODULE)
        return NULL;
    if (!outside->symbols[module])
        outside->symbols[module] =
            symbols_read(path_of(outside, module),
                         outside->profile->modules.list[module].build_id, false);
    return symbols_find(outside->symbols[module], address, NULL);
}

char *outside_name(struct outside *outside, uint32_t module, uint64_t address)
{
    if (module == PROFILE_NO_MODULE)
        return buf_copy("<unknown>");
    const char *name = outside_symbol(outside, module, address);
    return buf_format("<%s>", name ? name : path_last(path_of(outside, module)));
}

uint32_t kernel_module(const struct profile *profile)
{
    uint32_t module = 0;
    while (module < profile->modules.count &&
           strcmp(profile->modules.list[module].path, CCPROF_KERNEL) != 0)
        module++;
    return module;
}

/* Names of Linux's system calls in the order of their numbers. `-' marks an unused
   number. From number LATER on, all processors use the same numbers (linux:
   include/uapi/asm-generic/unistd.h, arch/x86/entry/syscalls/syscall_64.tbl). */
static const char x86_64[] =
    "read write open close stat fstat lstat poll lseek mmap mprotect munmap brk "
    "rt_sigaction rt_sigprocmask rt_sigreturn ioctl pread64 pwrite64 readv writev "
    "access pipe select sched_yield mremap msync mincore madvise shmget shmat shmctl "
    "dup dup2 pause nanosleep getitimer alarm setitimer getpid sendfile socket connect "
    "accept sendto recvfrom sendmsg recvmsg shutdown bind listen getsockname "
    "getpeername socketpair setsockopt getsockopt clone fork vfork execve exit wait4 "
    "kill uname semget semop semctl shmdt msgget msgsnd msgrcv msgctl fcntl flock fsync "
    "fdatasync truncate ftruncate getdents getcwd chdir fchdir rename mkdir rmdir creat "
    "link unlink symlink readlink chmod fchmod chown fchown lchown umask gettimeofday "
    "getrlimit getrusage sysinfo times ptrace getuid syslog getgid setuid setgid "
    "geteuid getegid setpgid getppid getpgrp setsid setreuid setregid getgroups "
    "setgroups setresuid getresuid setresgid getresgid getpgid setfsuid setfsgid getsid "
    "capget capset rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend "
    "sigaltstack utime mknod uselib personality ustat statfs fstatfs sysfs getpriority "
    "setpriority sched_setparam sched_getparam sched_setscheduler sched_getscheduler "
    "sched_get_priority_max sched_get_priority_min sched_rr_get_interval mlock munlock "
    "mlockall munlockall vhangup modify_ldt pivot_root _sysctl prctl arch_prctl "
    "adjtimex setrlimit chroot sync acct settimeofday mount umount2 swapon swapoff "
    "reboot sethostname setdomainname iopl ioperm create_module init_module "
    "delete_module get_kernel_syms query_module quotactl nfsservctl getpmsg putpmsg "
    "afs_syscall tuxcall security gettid readahead setxattr lsetxattr fsetxattr "
    "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr "
    "lremovexattr fremovexattr tkill time futex sched_setaffinity sched_getaffinity "
    "set_thread_area io_setup io_destroy io_getevents io_submit io_cancel "
    "get_thread_area lookup_dcookie epoll_create epoll_ctl_old epoll_wait_old "
    "remap_file_pages getdents64 set_tid_address restart_syscall semtimedop fadvise64 "
    "timer_create timer_settime timer_gettime timer_getoverrun timer_delete "
    "clock_settime clock_gettime clock_getres clock_nanosleep exit_group epoll_wait "
    "epoll_ctl tgkill utimes vserver mbind set_mempolicy get_mempolicy mq_open "
    "mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr kexec_load waitid "
    "add_key request_key keyctl ioprio_set ioprio_get inotify_init inotify_add_watch "
    "inotify_rm_watch migrate_pages openat mkdirat mknodat fchownat futimesat "
    "newfstatat unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat "
    "pselect6 ppoll unshare set_robust_list get_robust_list splice tee sync_file_range "
    "vmsplice move_pages utimensat epoll_pwait signalfd timerfd_create eventfd "
    "fallocate timerfd_settime timerfd_gettime accept4 signalfd4 eventfd2 epoll_create1 "
    "dup3 pipe2 inotify_init1 preadv pwritev rt_tgsigqueueinfo perf_event_open recvmmsg "
    "fanotify_init fanotify_mark prlimit64 name_to_handle_at open_by_handle_at "
    "clock_adjtime syncfs sendmmsg setns getcpu process_vm_readv process_vm_writev kcmp "
    "finit_module sched_setattr sched_getattr renameat2 seccomp getrandom memfd_create "
    "kexec_file_load bpf execveat userfaultfd membarrier mlock2 copy_file_range preadv2 "
    "pwritev2 pkey_mprotect pkey_alloc pkey_free statx io_pgetevents rseq";

static const char generic[] =
    "io_setup io_destroy io_submit io_cancel io_getevents setxattr lsetxattr fsetxattr "
    "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr "
    "lremovexattr fremovexattr getcwd lookup_dcookie eventfd2 epoll_create1 epoll_ctl "
    "epoll_pwait dup dup3 fcntl inotify_init1 inotify_add_watch inotify_rm_watch ioctl "
    "ioprio_set ioprio_get flock mknodat mkdirat unlinkat symlinkat linkat renameat "
    "umount2 mount pivot_root nfsservctl statfs fstatfs truncate ftruncate fallocate "
    "faccessat chdir fchdir chroot fchmod fchmodat fchownat fchown openat close vhangup "
    "pipe2 quotactl getdents64 lseek read write readv writev pread64 pwrite64 preadv "
    "pwritev sendfile pselect6 ppoll signalfd4 vmsplice splice tee readlinkat "
    "newfstatat fstat sync fsync fdatasync sync_file_range timerfd_create "
    "timerfd_settime timerfd_gettime utimensat acct capget capset personality exit "
    "exit_group waitid set_tid_address unshare futex set_robust_list get_robust_list "
    "nanosleep getitimer setitimer kexec_load init_module delete_module timer_create "
    "timer_gettime timer_getoverrun timer_settime timer_delete clock_settime "
    "clock_gettime clock_getres clock_nanosleep syslog ptrace sched_setparam "
    "sched_setscheduler sched_getscheduler sched_getparam sched_setaffinity "
    "sched_getaffinity sched_yield sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval restart_syscall kill tkill tgkill sigaltstack rt_sigsuspend "
    "rt_sigaction rt_sigprocmask rt_sigpending rt_sigtimedwait rt_sigqueueinfo "
    "rt_sigreturn setpriority getpriority reboot setregid setgid setreuid setuid "
    "setresuid getresuid setresgid getresgid setfsuid setfsgid times setpgid getpgid "
    "getsid setsid getgroups setgroups uname sethostname setdomainname getrlimit "
    "setrlimit getrusage umask prctl getcpu gettimeofday settimeofday adjtimex getpid "
    "getppid getuid geteuid getgid getegid gettid sysinfo mq_open mq_unlink "
    "mq_timedsend mq_timedreceive mq_notify mq_getsetattr msgget msgctl msgrcv msgsnd "
    "semget semctl semtimedop semop shmget shmctl shmat shmdt socket socketpair bind "
    "listen accept connect getsockname getpeername sendto recvfrom setsockopt "
    "getsockopt shutdown sendmsg recvmsg readahead brk munmap mremap add_key "
    "request_key keyctl clone execve mmap fadvise64 swapon swapoff mprotect msync mlock "
    "munlock mlockall munlockall mincore madvise remap_file_pages mbind get_mempolicy "
    "set_mempolicy migrate_pages move_pages rt_tgsigqueueinfo perf_event_open accept4 "
    "recvmmsg - - - - - - - - - - - - - - - - wait4 prlimit64 fanotify_init "
    "fanotify_mark name_to_handle_at open_by_handle_at clock_adjtime syncfs setns "
    "sendmmsg process_vm_readv process_vm_writev kcmp finit_module sched_setattr "
    "sched_getattr renameat2 seccomp getrandom memfd_create bpf execveat userfaultfd "
    "membarrier mlock2 copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc "
    "pkey_free statx io_pgetevents rseq kexec_file_load";

#define LATER 424
static const char later[] =
    "pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree "
    "move_mount fsopen fsconfig fsmount fspick pidfd_open clone3 close_range openat2 "
    "pidfd_getfd faccessat2 process_madvise epoll_pwait2 mount_setattr quotactl_fd "
    "landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret "
    "process_mrelease futex_waitv set_mempolicy_home_node cachestat fchmodat2 "
    "map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount "
    "lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal";

/* Returns the name of a system call on the processor MACHINE (an EM_* number of ELF),
   or `system call NUMBER' if the name is unknown. The caller frees it. */
static char *system_call_name(unsigned machine, uint64_t number)
{
    const char *names = number >= LATER ? later : machine == EM_X86_64 ? x86_64 : generic;
    uint64_t left = number >= LATER ? number - LATER : number;
    for (; names && left > 0; left--)
        if ((names = strchr(names, ' ')))
            names++;
    if (!names || *names == '-')
        return buf_format("system call %" PRIu64, number);
    return buf_copy_prefix(names, strcspn(names, " "));
}

char *kernel_name(const struct program *program, uint64_t address)
{
    if (address == CCPROF_KERNEL_INTERRUPTED)
        return buf_copy("page fault");
    if (address < CCPROF_KERNEL_CALLS)
        return buf_copy("kernel");
    return system_call_name(tables_holder(program->tables[0])->machine,
                            address - CCPROF_KERNEL_CALLS);
}

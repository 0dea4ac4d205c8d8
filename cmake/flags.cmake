# SPDX-License-Identifier: Apache-2.0
# How everything is compiled, in every build type: the rules that results depend on, and warnings.
# Optimisation and sanitizers are chosen by CMakePresets.json.  tests/build_flags.c checks the
# outcome: a result is the same bits with every compiler, and asserts are always on.

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()
set(RINGTAIL_SANITIZE "" CACHE STRING "Sanitizers: address,undefined or thread")
option(RINGTAIL_LTO "Optimise across files when linking, where the compiler can" OFF)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

# CMake's optimised build types switch asserts off.
foreach(type RELEASE RELWITHDEBINFO MINSIZEREL)
    string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_${type} "${CMAKE_C_FLAGS_${type}}")
endforeach()

# No product and sum become one rounding (clang fuses them even with -std=c17); sqrt is an
# instruction, not a call that sets errno.
add_compile_options(-ffp-contract=off -fno-math-errno)
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes)
# A parameter table names a member that its macro has given a default: the later one wins.
add_compile_options(-Wno-override-init)
# gcc clears structs of more than 64 bytes by a string instruction, whose start-up costs a request
# a quarter of its time.
include(CheckCCompilerFlag)
set(clear -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign)
check_c_compiler_flag(${clear} RINGTAIL_HAS_MEMSET_STRATEGY)
if(RINGTAIL_HAS_MEMSET_STRATEGY)
    add_compile_options(${clear})
endif()
add_compile_definitions(_POSIX_C_SOURCE=200809L RINGTAIL_VERSION="${PROJECT_VERSION}")
include_directories(${PROJECT_SOURCE_DIR})

# The engine's calls cross files.  clang needs llvm-ar for it.
if(RINGTAIL_LTO)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT CMAKE_INTERPROCEDURAL_OPTIMIZATION OUTPUT ignored LANGUAGES C)
    if(NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
        message(WARNING "No link-time optimisation, so a slower program")
    endif()
endif()

if(RINGTAIL_SANITIZE)
    set(sanitize -fsanitize=${RINGTAIL_SANITIZE} -fno-sanitize-recover=all)
    add_compile_options(${sanitize} -fno-omit-frame-pointer)
    add_link_options(${sanitize})
endif()

# SPDX-License-Identifier: Apache-2.0
# Libraries named ringtail_NAME, one a layer.

# OVER names the layers under this one, USES libraries that only its own sources see.
# A layer without sources yet passes on what is under it.
function(ringtail_library name)
    cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "SOURCES;OVER;USES")
    list(TRANSFORM layer_OVER PREPEND ringtail_)
    if(layer_SOURCES)
        add_library(ringtail_${name} STATIC ${layer_SOURCES})
        target_link_libraries(ringtail_${name} PUBLIC ${layer_OVER} PRIVATE ${layer_USES})
    else()
        add_library(ringtail_${name} INTERFACE)
        target_link_libraries(ringtail_${name} INTERFACE ${layer_OVER})
    endif()
endfunction()

# All sources of the folder FROM.
function(ringtail_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 layer "" "FROM" "OVER;USES")
    file(GLOB sources CONFIGURE_DEPENDS ${layer_FROM}/*.c)
    ringtail_library(${name} SOURCES ${sources} OVER ${layer_OVER} USES ${layer_USES})
endfunction()

# models/NAME.c for each line MODEL(NAME) of models/models.def, and the registry of them.
function(ringtail_models name)
    cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "OVER")
    set(list ${PROJECT_SOURCE_DIR}/models/models.def)
    set(sources "")
    if(EXISTS ${list})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
        file(STRINGS ${list} sources REGEX "^MODEL\\([a-z0-9_]+\\)")
        list(TRANSFORM sources REPLACE "^MODEL\\(([a-z0-9_]+)\\).*" "models/\\1.c")
        list(APPEND sources models/registry.c)
    endif()
    ringtail_library(${name} SOURCES ${sources} OVER ${layer_OVER})
endfunction()

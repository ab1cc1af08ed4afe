#include "cpages.h"

#include <string.h>

// Standard in C23; the compiler's dependency files name what is embedded.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char compose_assets_js[] = {
#embed "compose/compose-assets.js"
};
static const unsigned char compose_bridge_js[] = {
#embed "compose/compose-bridge.js"
};
static const unsigned char compose_imgly_js[] = {
#embed "compose/compose-imgly.js"
};
static const unsigned char compose_library_js[] = {
#embed "compose/compose-library.js"
};
static const unsigned char compose_model_js[] = {
#embed "compose/compose-model.js"
};
static const unsigned char compose_page_js[] = {
#embed "compose/compose-page.js"
};
static const unsigned char compose_personal_js[] = {
#embed "compose/compose-personal.js"
};
static const unsigned char compose_picture_js[] = {
#embed "compose/compose-picture.js"
};
static const unsigned char compose_stage_js[] = {
#embed "compose/compose-stage.js"
};
static const unsigned char compose_css[] = {
#embed "compose/compose.css"
};
static const unsigned char compose_html[] = {
#embed "compose/compose.html"
};
static const unsigned char compose_js[] = {
#embed "compose/compose.js"
};
static const unsigned char console_css[] = {
#embed "console/console.css"
};
static const unsigned char console_js[] = {
#embed "console/console.js"
};
static const unsigned char console_svg[] = {
#embed "console/console.svg"
};
static const unsigned char gallery_css[] = {
#embed "gallery/gallery.css"
};
static const unsigned char gallery_html[] = {
#embed "gallery/gallery.html"
};
static const unsigned char gallery_js[] = {
#embed "gallery/gallery.js"
};
static const unsigned char gallery_svg[] = {
#embed "gallery/gallery.svg"
};
static const unsigned char library_js[] = {
#embed "console/library.js"
};
static const unsigned char openapi_json[] = {
#embed "openapi.json"
};
static const unsigned char shared_elements_js[] = {
#embed "shared/elements.js"
};
static const unsigned char shared_look_css[] = {
#embed "shared/look.css"
};
static const unsigned char shared_server_js[] = {
#embed "shared/server.js"
};

#define PAGE(file, bytes) {file, {bytes, sizeof bytes}}

static const struct {
  const char *name;
  cpages_file file;
} pages[] = {
    PAGE("compose-assets.js", compose_assets_js),
    PAGE("compose-bridge.js", compose_bridge_js),
    PAGE("compose-imgly.js", compose_imgly_js),
    PAGE("compose-library.js", compose_library_js),
    PAGE("compose-model.js", compose_model_js),
    PAGE("compose-page.js", compose_page_js),
    PAGE("compose-personal.js", compose_personal_js),
    PAGE("compose-picture.js", compose_picture_js),
    PAGE("compose-stage.js", compose_stage_js),
    PAGE("compose.css", compose_css),
    PAGE("compose.html", compose_html),
    PAGE("compose.js", compose_js),
    PAGE("console.css", console_css),
    PAGE("console.js", console_js),
    PAGE("console.svg", console_svg),
    PAGE("gallery.css", gallery_css),
    PAGE("gallery.html", gallery_html),
    PAGE("gallery.js", gallery_js),
    PAGE("gallery.svg", gallery_svg),
    PAGE("library.js", library_js),
    PAGE("openapi.json", openapi_json),
    PAGE("elements.js", shared_elements_js),
    PAGE("look.css", shared_look_css),
    PAGE("server.js", shared_server_js),
};

cpages_file cpages_find(const char *name) {
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    if (strcmp(pages[i].name, name) == 0) return pages[i].file;
  }
  return (cpages_file){NULL, 0};
}

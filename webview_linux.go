//go:build desktop && linux

package main

/*
#cgo pkg-config: gtk+-3.0
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1

#include <gtk/gtk.h>
#include <string.h>
#include <webkit2/webkit2.h>

static void find_view(GtkWidget *widget, gpointer found) {
	if (WEBKIT_IS_WEB_VIEW(widget))
		*(GtkWidget **)found = widget;
	else if (GTK_IS_CONTAINER(widget))
		gtk_container_forall(GTK_CONTAINER(widget), find_view, found);
}

static WebKitWebView *the_view(void) {
	GtkWidget *found = NULL;
	GList *windows = gtk_window_list_toplevels();
	for (GList *w = windows; w && !found; w = w->next)
		find_view(GTK_WIDGET(w->data), &found);
	g_list_free(windows);
	return (WebKitWebView *)found;
}

// A page that kills its process at once must not be loaded in a circle: three times a minute are enough.
static void view_died(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer unused) {
	static gint64 since;
	static int times;
	gint64 now = g_get_monotonic_time();
	if (reason == WEBKIT_WEB_PROCESS_TERMINATED_BY_API)
		return;
	if (now - since > 60 * G_USEC_PER_SEC) {
		since = now;
		times = 0;
	}
	if (times++ < 3)
		webkit_web_view_reload(view);
}

// The page never leaves for another address, whatever is clicked or dropped: links go to the browser through Go.
static gboolean decide(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer unused) {
	if (type != WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && type != WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION)
		return FALSE;
	WebKitNavigationAction *action =
		webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
	const gchar *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
	if (type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && uri && g_str_has_prefix(uri, "wails://wails/"))
		return FALSE;
	webkit_policy_decision_ignore(decision);
	return TRUE;
}

// What belongs into a menu over a page that is an app: editing, spelling, the address of a link. Not: going back, loading
// anew, opening or downloading what is linked.
static gboolean wanted(WebKitContextMenuAction action) {
	switch (action) {
	case WEBKIT_CONTEXT_MENU_ACTION_CUT:
	case WEBKIT_CONTEXT_MENU_ACTION_COPY:
	case WEBKIT_CONTEXT_MENU_ACTION_PASTE:
	case WEBKIT_CONTEXT_MENU_ACTION_PASTE_AS_PLAIN_TEXT:
	case WEBKIT_CONTEXT_MENU_ACTION_DELETE:
	case WEBKIT_CONTEXT_MENU_ACTION_SELECT_ALL:
	case WEBKIT_CONTEXT_MENU_ACTION_COPY_LINK_TO_CLIPBOARD:
	case WEBKIT_CONTEXT_MENU_ACTION_SPELLING_GUESS:
	case WEBKIT_CONTEXT_MENU_ACTION_NO_GUESSES_FOUND:
	case WEBKIT_CONTEXT_MENU_ACTION_IGNORE_SPELLING:
	case WEBKIT_CONTEXT_MENU_ACTION_LEARN_SPELLING:
	case WEBKIT_CONTEXT_MENU_ACTION_INPUT_METHODS:
	case WEBKIT_CONTEXT_MENU_ACTION_INSERT_EMOJI:
	case WEBKIT_CONTEXT_MENU_ACTION_INSPECT_ELEMENT: // there only in a build with developer tools
		return TRUE;
	default:
		return FALSE;
	}
}

static gboolean trim_menu(WebKitWebView *view, WebKitContextMenu *menu, GdkEvent *event, WebKitHitTestResult *hit, gpointer unused) {
	GList *items = g_list_copy(webkit_context_menu_get_items(menu));
	WebKitContextMenuItem *line = NULL; // a separator that nothing follows yet
	gboolean any = FALSE;
	for (GList *l = items; l; l = l->next) {
		WebKitContextMenuItem *item = l->data;
		gboolean separator = webkit_context_menu_item_is_separator(item);
		if (separator ? !any || line != NULL : !wanted(webkit_context_menu_item_get_stock_action(item))) {
			webkit_context_menu_remove(menu, item);
		} else if (separator) {
			line = item;
		} else {
			any = TRUE;
			line = NULL;
		}
	}
	if (line)
		webkit_context_menu_remove(menu, line);
	g_list_free(items);
	return !any; // no menu at all
}

// The page learns of a drop, but not of the files in it. They are kept here until it asks for them.
static GMutex dropped_lock;
static gchar *dropped; // addresses, one a line

static void note_dropped(GtkWidget *view, GdkDragContext *context, gint x, gint y, GtkSelectionData *data, guint info, guint time, gpointer unused) {
	gchar **uris = gtk_selection_data_get_uris(data);
	if (!uris)
		return;
	g_mutex_lock(&dropped_lock);
	g_free(dropped);
	dropped = g_strjoinv("\n", uris);
	g_mutex_unlock(&dropped_lock);
	g_strfreev(uris);
}

static gchar *take_dropped(void) {
	g_mutex_lock(&dropped_lock);
	gchar *taken = dropped;
	dropped = NULL;
	g_mutex_unlock(&dropped_lock);
	return taken;
}

// Spelling is checked with the dictionaries that are installed for the user's languages; without any nothing is marked.
static void check_spelling(WebKitWebContext *context) {
	GPtrArray *languages = g_ptr_array_new();
	for (const gchar *const *name = g_get_language_names(); *name; name++)
		if (!strpbrk(*name, ".@") && strcmp(*name, "C") != 0)
			g_ptr_array_add(languages, (gpointer)*name);
	g_ptr_array_add(languages, NULL);
	webkit_web_context_set_spell_checking_languages(context, (const gchar *const *)languages->pdata);
	webkit_web_context_set_spell_checking_enabled(context, TRUE);
	g_ptr_array_free(languages, TRUE);
}

static gboolean guard_view_now(gpointer unused) {
	WebKitWebView *view = the_view();
	if (view && !g_object_get_data(G_OBJECT(view), "recollect-guarded")) {
		g_object_set_data(G_OBJECT(view), "recollect-guarded", GINT_TO_POINTER(1));
		check_spelling(webkit_web_view_get_context(view));
		g_signal_connect(view, "web-process-terminated", G_CALLBACK(view_died), NULL);
		g_signal_connect(view, "decide-policy", G_CALLBACK(decide), NULL);
		g_signal_connect(view, "context-menu", G_CALLBACK(trim_menu), NULL);
		g_signal_connect(view, "drag-data-received", G_CALLBACK(note_dropped), NULL);
	}
	return G_SOURCE_REMOVE;
}

static gboolean reload_view_now(gpointer unused) {
	WebKitWebView *view = the_view();
	if (view) {
		webkit_web_view_terminate_web_process(view);
		webkit_web_view_reload(view);
	}
	return G_SOURCE_REMOVE;
}

// Screens are asked for, and the window is moved, after the message loop has done what Wails does at its start: it
// centres the window.
struct screens {
	GMutex lock;
	GCond known;
	int count; // -1 = not known yet
	GdkRectangle areas[16];
};

static gboolean ask_screens(gpointer data) {
	struct screens *s = data;
	GdkDisplay *display = gdk_display_get_default();
	int n = display ? MIN(gdk_display_get_n_monitors(display), 16) : 0;
	for (int i = 0; i < n; i++)
		gdk_monitor_get_workarea(gdk_display_get_monitor(display, i), &s->areas[i]);
	g_mutex_lock(&s->lock);
	s->count = n;
	g_cond_signal(&s->known);
	g_mutex_unlock(&s->lock);
	return G_SOURCE_REMOVE;
}

static void get_screens(struct screens *s) {
	g_mutex_init(&s->lock);
	g_cond_init(&s->known);
	s->count = -1;
	g_idle_add_full(G_PRIORITY_LOW, ask_screens, s, NULL);
	g_mutex_lock(&s->lock);
	while (s->count < 0)
		g_cond_wait(&s->known, &s->lock);
	g_mutex_unlock(&s->lock);
	g_mutex_clear(&s->lock);
	g_cond_clear(&s->known);
}

static gboolean move_now(gpointer place) {
	WebKitWebView *view = the_view();
	int *xy = place;
	if (view)
		gtk_window_move(GTK_WINDOW(gtk_widget_get_toplevel(GTK_WIDGET(view))), xy[0], xy[1]);
	g_free(xy);
	return G_SOURCE_REMOVE;
}

static void move_window(int x, int y) {
	int *xy = g_new(int, 2);
	xy[0] = x;
	xy[1] = y;
	g_idle_add_full(G_PRIORITY_LOW, move_now, xy, NULL);
}

static gboolean zoom_now(gpointer percent) {
	WebKitWebView *view = the_view();
	if (view)
		webkit_web_view_set_zoom_level(view, GPOINTER_TO_INT(percent) / 100.0);
	return G_SOURCE_REMOVE;
}

static void zoom(int percent) { g_idle_add(zoom_now, GINT_TO_POINTER(percent)); }

static void guard_view(void) { g_idle_add(guard_view_now, NULL); }
static void reload_view(void) { g_idle_add(reload_view_now, NULL); }
*/
import "C"

import (
	"context"
	"net/url"
	"strings"

	"recollect/backend/app"
)

// guardView loads the page again as soon as its process dies: Wails does not notice on Linux, the window would stay
// frozen for ever, and a script cannot be sent to a dead process. It also keeps the view at the page, and takes out of
// its context menu what leads away.
func guardView() { C.guard_view() }

// reloadView ends the page's process, which may hang, and loads the page again.
func reloadView(context.Context) { C.reload_view() }

// screens returns the screens that there are.
func screens(context.Context) []app.Screen {
	found := (*C.struct_screens)(C.g_malloc0(C.sizeof_struct_screens))
	defer C.g_free(C.gpointer(found))
	C.get_screens(found)
	list := make([]app.Screen, found.count)
	for i := range list {
		a := found.areas[i]
		list[i] = app.Screen{X: int(a.x), Y: int(a.y), Width: int(a.width), Height: int(a.height)}
	}
	return list
}

// moveWindow puts the window at a place of all screens together. Wails counts from the screen that the window is on.
func moveWindow(_ context.Context, x, y int) { C.move_window(C.int(x), C.int(y)) }

// zoomView shows the page in a size, in percent. The page's layout follows, as it does in a browser.
func zoomView(percent int) { C.zoom(C.int(percent)) }

// droppedPaths returns the files that were dropped last, once.
func droppedPaths() []string {
	taken := C.take_dropped()
	if taken == nil {
		return nil
	}
	defer C.g_free(C.gpointer(taken))
	var paths []string
	for line := range strings.Lines(C.GoString(taken)) {
		if u, err := url.Parse(strings.TrimSpace(line)); err == nil && u.Scheme == "file" {
			paths = append(paths, u.Path)
		}
	}
	return paths
}

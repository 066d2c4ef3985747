//go:build desktop && linux

package main

/*
#cgo pkg-config: gtk+-3.0
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1

#include <gtk/gtk.h>
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

static gboolean watch_view_now(gpointer unused) {
	WebKitWebView *view = the_view();
	if (view && !g_object_get_data(G_OBJECT(view), "recollect-watched")) {
		g_object_set_data(G_OBJECT(view), "recollect-watched", GINT_TO_POINTER(1));
		g_signal_connect(view, "web-process-terminated", G_CALLBACK(view_died), NULL);
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

static void watch_view(void) { g_idle_add(watch_view_now, NULL); }
static void reload_view(void) { g_idle_add(reload_view_now, NULL); }
*/
import "C"

import "context"

// watchView loads the page again as soon as its process dies: Wails does not notice on Linux, the window would stay
// frozen for ever, and a script cannot be sent to a dead process.
func watchView() { C.watch_view() }

// reloadView ends the page's process, which may hang, and loads the page again.
func reloadView(context.Context) { C.reload_view() }

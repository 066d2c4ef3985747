//go:build desktop && smoke && linux

package main

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

static char *dragged;

static void give(GtkWidget *from, GdkDragContext *context, GtkSelectionData *data, guint info, guint time, gpointer unused) {
	char *uris[] = {dragged, NULL};
	gtk_selection_data_set_uris(data, uris);
}

static void drag_source(const char *path) {
	gtk_init(NULL, NULL);
	dragged = g_filename_to_uri(path, NULL, NULL);
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL), *button = gtk_button_new_with_label("Drag me");
	gtk_window_set_title(GTK_WINDOW(window), "dragsource");
	gtk_window_set_default_size(GTK_WINDOW(window), 150, 80);
	gtk_drag_source_set(button, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
	gtk_drag_source_add_uri_targets(button);
	g_signal_connect(button, "drag-data-get", G_CALLBACK(give), NULL);
	gtk_container_add(GTK_CONTAINER(window), button);
	gtk_widget_show_all(window);
	gtk_window_move(GTK_WINDOW(window), 5, 5);
	gtk_main();
}
*/
import "C"

import "os"

// With RECOLLECT_SMOKE_DRAG=FILE the smoke binary is another program that a file can be dragged from.
func init() { //nolint:gochecknoinits // test build only
	if path := os.Getenv("RECOLLECT_SMOKE_DRAG"); path != "" {
		C.drag_source(C.CString(path))
		os.Exit(0)
	}
}

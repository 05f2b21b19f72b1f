/** Runs in: tests of Events. Read {@link io.tidemark.kubernetes.events.EventWorld} first. */
@NullMarked
package io.tidemark.kubernetes.events;

import org.jspecify.annotations.NullMarked;

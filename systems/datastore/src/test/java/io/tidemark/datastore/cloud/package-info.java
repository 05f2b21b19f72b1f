/**
 * Runs in: the build alone.
 *
 * <p>Tables of the loop's behaviours on {@code TestLoop}, whose {@code FakeCloud} keeps what it was
 * asked for and fails as it is told, and random runs with crashes.
 */
@NullMarked
package io.tidemark.datastore.cloud;

import org.jspecify.annotations.NullMarked;

/**
 * Runs in: anywhere.
 *
 * <p>The smallest program around an embedded engine; docs/embedding.md explains it.
 */
@NullMarked
package example.embed;

import org.jspecify.annotations.NullMarked;

/**
 * Runs in: operator.
 *
 * <p>An operator of another project, made with the Java Operator SDK, with an embedded engine that
 * shares its client; docs/embedding.md explains it.
 */
@NullMarked
package example.operator;

import org.jspecify.annotations.NullMarked;

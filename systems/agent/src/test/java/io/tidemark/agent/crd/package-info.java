/**
 * Runs in: the build alone.
 *
 * <p>An agent over an object in memory, {@code CrdWorld}, and random operations on it.
 */
@NullMarked
package io.tidemark.agent.crd;

import org.jspecify.annotations.NullMarked;

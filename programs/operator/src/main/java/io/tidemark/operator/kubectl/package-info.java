/**
 * Runs in: command line.
 *
 * <p>{@code kubectl tidemark}: the status of the nodes of a cluster as its leader sees them, else
 * as their objects show it. Reads only, and asks no cloud.
 *
 * <p>Read {@link io.tidemark.operator.kubectl.KubectlCommand} first.
 */
@NullMarked
package io.tidemark.operator.kubectl;

import org.jspecify.annotations.NullMarked;

/**
 * Runs in: agent.
 *
 * <p>What the agent answers to a CNI plugin: the requests of the specification, version 0.3.1 to
 * 1.1.0. {@code CniHandler} reads a request and prints its answer; {@code Attachments} assigns
 * addresses to attachments and answers only after the state file is written.
 *
 * <p>Looks wrong, is right: an attachment is forgotten only when its removal is on disk, so that a
 * crash leaves an address taken rather than taken twice.
 *
 * <p>Read {@link io.tidemark.daemon.cni.CniHandler} first.
 */
@NullMarked
package io.tidemark.daemon.cni;

import org.jspecify.annotations.NullMarked;

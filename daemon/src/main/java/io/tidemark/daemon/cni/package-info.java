/**
 * Runs in: agent.
 *
 * <p>What the agent answers to a CNI plugin: the requests of the specification, version 0.3.1 to
 * 1.1.0, each from the bytes that came to the bytes that go. {@code CniHandler} reads a request and
 * prints its answer; {@code Attachments} decides which pod has which addresses and what is durable
 * before an answer leaves.
 *
 * <p>Looks wrong, is right: an attachment is forgotten only when its removal is on disk, so that a
 * crash leaves an address taken rather than taken twice.
 *
 * <p>Read {@link io.tidemark.daemon.cni.CniHandler} first.
 */
@NullMarked
package io.tidemark.daemon.cni;

import org.jspecify.annotations.NullMarked;

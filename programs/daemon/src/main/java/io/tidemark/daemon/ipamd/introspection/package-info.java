/**
 * Runs in: ipamd.
 *
 * <p>What {@code ipamd} says of itself over HTTP, as the AWS VPC CNI does: interfaces with their
 * addresses, settings; and what is planned. Nothing here names a container or an interface of a
 * pod.
 *
 * <p>Read {@link io.tidemark.daemon.ipamd.introspection.Introspection} first.
 */
@NullMarked
package io.tidemark.daemon.ipamd.introspection;

import org.jspecify.annotations.NullMarked;

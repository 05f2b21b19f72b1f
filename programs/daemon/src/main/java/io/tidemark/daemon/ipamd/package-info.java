/**
 * Runs in: ipamd.
 *
 * <p>What the {@code aws-cni} plugin of the AWS VPC CNI is answered: addresses of a node's
 * interfaces, from the stores of module {@code datastore}. The messages are values; {@code grpc}
 * reads and writes them and owns the sockets.
 *
 * <p>Looks wrong, is right: an ADD that gets no address succeeds as a call, with a reply that says
 * so, while a DEL of a sandbox that is not known fails as a call. The plugin expects both, and ends
 * that DEL with success by the text of the failure.
 *
 * <p>Read {@link io.tidemark.daemon.ipamd.CniBackend} first.
 */
@NullMarked
package io.tidemark.daemon.ipamd;

import org.jspecify.annotations.NullMarked;

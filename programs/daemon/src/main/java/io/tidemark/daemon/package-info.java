/**
 * Runs in: agent and ipamd.
 *
 * <p>The program of a node. Its command {@code agent} gives pods their addresses: {@code cni}
 * answers the requests of a CNI plugin, {@code machine} knows the instance and its interfaces, and
 * the library {@code agent} allocates. Its command {@code ipamd} does so for the plugin of the AWS
 * VPC CNI: {@code ipamd} answers it, {@code ipamd.cloud} asks EC2, {@code ipamd.introspection}
 * shows both, and the library {@code datastore} allocates. {@code inspect} shows the file of {@code
 * ipamd}.
 *
 * <p>Read {@link io.tidemark.daemon.AgentCommand} or {@link io.tidemark.daemon.IpamdCommand} first.
 */
@NullMarked
package io.tidemark.daemon;

import org.jspecify.annotations.NullMarked;

/**
 * Runs in: operator, agent and ipamd.
 *
 * <p>What a cloud needs before its first request: endpoints and certificates from the settings,
 * answers of the machine's metadata service, and a discovery that the first request waits for. Read
 * {@link io.tidemark.provider.kit.start.Startup} first.
 */
@NullMarked
package io.tidemark.provider.kit.start;

import org.jspecify.annotations.NullMarked;

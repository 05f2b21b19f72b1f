/**
 * Runs in: tests of the folder {@code deploy} against a real API server. Read {@link
 * io.tidemark.kubernetes.deploy.Manifests} first.
 */
@NullMarked
package io.tidemark.kubernetes.deploy;

import org.jspecify.annotations.NullMarked;

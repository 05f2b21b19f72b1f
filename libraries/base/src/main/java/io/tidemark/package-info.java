/**
 * Runs in: anywhere.
 *
 * <p>Tidemark keeps every Kubernetes node's pool of pod addresses between its watermarks by driving
 * a cloud's network interfaces. This package only holds the others. A line may use the lines below
 * it, never above or beside; a test of the build keeps it so:
 *
 * <pre>
 * node   agent   datastore   nodecidr   nodeid
 * provider.kit
 * spi   cluster
 * resilience   resource
 * metrics   config
 * file
 * ip   time   error
 * </pre>
 *
 * <p>Read first: the package {@code io.tidemark.spi}, which names everything.
 */
@NullMarked
package io.tidemark;

import org.jspecify.annotations.NullMarked;

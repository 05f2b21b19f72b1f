/** Tests of the removal of stale CiliumNodes. */
package io.tidemark.kubernetes.gc;

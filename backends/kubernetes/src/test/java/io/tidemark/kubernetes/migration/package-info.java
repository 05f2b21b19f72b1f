/** Tests of what is read before a migration. */
@NullMarked
package io.tidemark.kubernetes.migration;

import org.jspecify.annotations.NullMarked;

/** Runs in: tests of how a system runs, in virtual time. */
@NullMarked
package io.tidemark.cluster.run;

import org.jspecify.annotations.NullMarked;

/** Time, threads and chance: tables of node-manager 3.1, 5.8 and 10.4, and properties by seed. */
@NullMarked
package io.tidemark.time;

import org.jspecify.annotations.NullMarked;

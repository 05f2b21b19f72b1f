@NullMarked
package io.tidemark.examples.minimal;

import org.jspecify.annotations.NullMarked;

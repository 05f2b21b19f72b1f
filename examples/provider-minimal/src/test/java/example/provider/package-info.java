@NullMarked
package example.provider;

import org.jspecify.annotations.NullMarked;

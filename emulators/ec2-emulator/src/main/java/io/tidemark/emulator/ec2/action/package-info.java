/**
 * Runs in: anywhere.
 *
 * <p>The actions of the API, a row each: its parameters and its effect on the region. A new one is
 * a row beside those of the same resource, and its tests. Rules that several share are in {@code
 * model}; how resources are listed, filtered, paged and written out is in the classes here that
 * have no row.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.action.Actions} first, then the actions of one resource,
 * for example {@code InterfaceActions}.
 */
@NullMarked
package io.tidemark.emulator.ec2.action;

import org.jspecify.annotations.NullMarked;

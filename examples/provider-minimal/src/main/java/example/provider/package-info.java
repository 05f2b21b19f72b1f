/**
 * Runs in: operator.
 *
 * <p>A provider for an imaginary cloud whose machines have one fixed interface each: addresses come
 * and go one by one, interfaces are never created, and there are no blocks. It is the smallest
 * provider that keeps the whole contract; docs/adding-a-provider.md walks through it.
 *
 * <p>Read {@link example.provider.MachineApi} first, then {@link example.provider.MinimalProvider}.
 */
@NullMarked
package example.provider;

import org.jspecify.annotations.NullMarked;

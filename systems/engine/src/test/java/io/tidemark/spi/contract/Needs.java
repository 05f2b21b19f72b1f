package io.tidemark.spi.contract;

import io.tidemark.spi.Capability;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Capabilities without which a test of the contract cannot be run. For a provider that lacks one,
 * the test is that it refuses; no test is left out.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Needs {
  Capability[] value();
}

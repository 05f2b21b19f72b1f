package io.tidemark.emulator.arm;

import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * An emulated Azure Resource Manager. In a test or a simulation make one with {@link #in} and hand
 * requests to {@link #handler()}. Thread-safe.
 */
public final class ArmEmulator {
  private final ArmHandler handler;

  private ArmEmulator(ArmHandler handler) {
    this.handler = handler;
  }

  /** An emulator without resources in the time that {@code time} shows; it starts no thread. */
  public static ArmEmulator in(TimeSource time, ModelOptions options) {
    return new ArmEmulator(new ArmHandler(new ArmModel(options), time));
  }

  /** The door for requests, and to the model behind it. */
  public ArmHandler handler() {
    return handler;
  }

  /** Makes or changes resources now, as their owner does beside the requests that are served. */
  public void change(Consumer<Resources> how) {
    handler.use(
        model -> {
          how.accept(model.resources(handler.now()));
          return how;
        });
  }

  /** Puts these rules in the place of those before. */
  public void faults(List<ArmFault> rules) {
    handler.use(
        model -> {
          model.faults().set(rules);
          return rules;
        });
  }
}

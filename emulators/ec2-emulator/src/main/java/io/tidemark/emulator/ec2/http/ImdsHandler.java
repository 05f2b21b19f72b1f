package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.imds.ImdsAnswer;
import io.tidemark.emulator.ec2.imds.ImdsRequest;
import java.util.Objects;

/** Serializes the metadata service with all other users of the model. Thread-safe. */
public final class ImdsHandler {
  private final Ec2Handler handler;
  private final Imds imds;

  public ImdsHandler(Ec2Handler handler, Imds imds) {
    this.handler = Objects.requireNonNull(handler, "handler");
    this.imds = Objects.requireNonNull(imds, "imds");
  }

  /** The response to this request now. */
  public ImdsAnswer handle(ImdsRequest request) {
    return handler.use(world -> imds.answer(request, world, handler.now()));
  }
}

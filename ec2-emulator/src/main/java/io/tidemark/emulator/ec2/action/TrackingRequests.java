package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.ConnectionTracking;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.Optional;
import java.util.OptionalInt;

/** How long idle connections are tracked: what a request may ask for, and how it is shown. */
final class TrackingRequests {
  private static final String NAME = "ConnectionTrackingSpecification";
  private static final String TCP = "TcpEstablishedTimeout";
  private static final String UDP_STREAM = "UdpStreamTimeout";
  private static final String UDP = "UdpTimeout";

  /** The parameter. */
  static final Field FIELD =
      Field.structure(NAME, Field.integer(TCP), Field.integer(UDP_STREAM), Field.integer(UDP));

  private TrackingRequests() {}

  /** The request for a new interface. */
  static ConnectionTracking ofNew(Parameters parameters) {
    return parameters
        .structure(NAME)
        .map(
            asked ->
                new ConnectionTracking(
                    seconds(asked, TCP, 60, 432_000),
                    seconds(asked, UDP_STREAM, 60, 180),
                    seconds(asked, UDP, 30, 60)))
        .orElse(ConnectionTracking.DEFAULT);
  }

  private static OptionalInt seconds(Parameters asked, String name, int least, int most) {
    OptionalInt seconds = asked.integer(name);
    if (seconds.isPresent() && (seconds.getAsInt() < least || seconds.getAsInt() > most)) {
      throw Values.invalid(
          Integer.toString(seconds.getAsInt()),
          name,
          "It must be from " + least + " to " + most + " seconds");
    }
    return seconds;
  }

  /** The requested timeouts; absent when nothing was. */
  static Optional<Answer> shown(ConnectionTracking tracking) {
    if (tracking.equals(ConnectionTracking.DEFAULT)) {
      return Optional.empty();
    }
    Answer.Builder answer = Answer.builder();
    tracking
        .tcpEstablishedSeconds()
        .ifPresent(seconds -> answer.number("tcpEstablishedTimeout", seconds));
    tracking.udpStreamSeconds().ifPresent(seconds -> answer.number("udpStreamTimeout", seconds));
    tracking.udpSeconds().ifPresent(seconds -> answer.number("udpTimeout", seconds));
    return Optional.of(answer.build());
  }
}

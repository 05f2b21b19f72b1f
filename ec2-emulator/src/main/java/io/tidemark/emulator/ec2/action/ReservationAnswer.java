package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.SubnetCidrReservation;
import io.tidemark.emulator.ec2.protocol.Answer;

/** Writes CIDR reservations as the service model's SubnetCidrReservation structure. */
final class ReservationAnswer {
  private ReservationAnswer() {}

  static Answer of(SubnetCidrReservation reservation) {
    Answer.Builder answer =
        Answer.builder()
            .text("subnetCidrReservationId", reservation.id())
            .text("subnetId", reservation.subnetId())
            .text("cidr", reservation.block().toString())
            .text("reservationType", reservation.type())
            .text("ownerId", reservation.ownerId())
            .text("description", reservation.description());
    return TagRules.write(answer, reservation.tags()).build();
  }
}

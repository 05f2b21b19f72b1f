package io.tidemark.operator.kubectl;

import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.kubernetes.leader.LeaderAnswer.Answered;
import io.tidemark.kubernetes.leader.LeaderAnswer.Unanswered;
import io.tidemark.kubernetes.leader.OperatorLease;
import java.time.Duration;
import java.util.Optional;

/**
 * Where an answer comes from. Immutable.
 *
 * @param pod of the leader; empty when the objects were read
 * @param sinceRenewal of the leader's lease; empty when it is not known
 * @param reason why no operator answered; empty text when one did
 */
record AnswerOrigin(Optional<String> pod, Optional<Duration> sinceRenewal, String reason) {
  static AnswerOrigin of(LeaderAnswer answer) {
    if (answer instanceof Answered leader) {
      return new AnswerOrigin(
          Optional.of(leader.pod()), leader.lease().map(OperatorLease::sinceRenewal), "");
    }
    return new AnswerOrigin(Optional.empty(), Optional.empty(), ((Unanswered) answer).reason());
  }

  /** For people. */
  String text() {
    return pod.map(
            name ->
                "from the leader "
                    + name
                    + sinceRenewal
                        .map(age -> ", lease renewed " + seconds(age) + " s ago")
                        .orElse(""))
        .orElseGet(() -> "no operator answers, so the objects are read: " + reason);
  }

  /** A clock that is behind that of the leader shows no age. */
  static Long seconds(Duration age) {
    return Math.max(0, age.toSeconds());
  }
}

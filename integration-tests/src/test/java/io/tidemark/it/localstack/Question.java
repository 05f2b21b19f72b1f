package io.tidemark.it.localstack;

import java.util.Objects;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;

/**
 * One question to a server that calls itself EC2.
 *
 * @param subject the chapter that it belongs to
 * @param text what is asked, unique
 * @param rule what AWS's documents say, and in which of them
 * @param ask builds what the question needs and puts it; its answer has no ids and no instants, so
 *     that the same server gives the same answer again
 */
record Question(String subject, String text, String rule, Ask ask) {
  /** How a question is put. */
  interface Ask {
    Object put(Scene scene);
  }

  Question {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(ask, "ask");
  }

  /** The answer in words; a refusal anywhere on the way is the answer. */
  String answer(Scene scene) {
    try {
      return String.valueOf(ask.put(scene));
    } catch (Ec2Exception refused) {
      return "`" + refused.awsErrorDetails().errorCode() + "`";
    } catch (SdkClientException unreadable) {
      return "nothing that the client can read";
    }
  }
}

package io.tidemark.it.localstack;

import java.util.function.Consumer;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;

/**
 * One question to a server that calls itself EC2.
 *
 * @param subject the chapter that it belongs to
 * @param text what is asked, unique within the subject
 * @param rule what AWS's documents say, and in which of them
 * @param ask builds what the question needs and puts it; its answer has no ids and no instants, so
 *     that the same server gives the same answer again
 */
record Question(String subject, String text, String rule, Function<Scene, Object> ask) {
  /** The answer in words; a refusal anywhere on the way is the answer. */
  String answer(Scene scene) {
    try {
      return String.valueOf(ask.apply(scene));
    } catch (Ec2Exception refused) {
      return "`" + refused.awsErrorDetails().errorCode() + "`";
    } catch (SdkClientException unreadable) {
      return "nothing that the client can read";
    }
  }

  /** A chapter, which its questions begin with. */
  record Topic(String subject) {
    Question asks(String text, String rule, Function<Scene, Object> ask) {
      return new Question(subject, text, rule, ask);
    }

    /** Asks whether the server does it; when it is not refused, the answer is "done". */
    Question does(String text, String rule, Consumer<Scene> act) {
      return asks(
          text,
          rule,
          scene -> {
            act.accept(scene);
            return "done";
          });
    }
  }
}

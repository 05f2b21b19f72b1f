package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.sts.Sts;
import io.tidemark.emulator.kit.http.EmulatorDoor;
import io.tidemark.emulator.kit.http.EmulatorFront;
import io.tidemark.emulator.kit.pace.Delivery;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers query requests with XML documents. Thread-safe; waits only for its turn. */
public final class Ec2Handler extends EmulatorDoor<Ec2Model> {
  private static final Logger LOG = LoggerFactory.getLogger(Ec2Handler.class);

  private static final Ec2Error DEFECT =
      new Ec2Error(
          "InternalError",
          "The emulator has a defect; its log tells more. Nothing was changed.",
          500);

  public Ec2Handler(Ec2Model model, TimeSource time) {
    super(model, time);
  }

  /** The same of a request over HTTP. */
  public EmulatorFront.Timed serve(HttpRequest request, String authority) {
    Response response =
        handle(
            new Exchange(
                request.header("Authorization"),
                request.header("X-Amz-Security-Token"),
                request.query(),
                request.body()));
    return new EmulatorFront.Timed(
        HttpResponse.of(response.status(), Response.CONTENT_TYPE, response.body())
            .with("x-amzn-RequestId", response.requestId()),
        response.latency(),
        response.delivery());
  }

  /** The response to this request now, also to an invalid one. */
  public Response handle(Exchange exchange) {
    Dialect dialect = Dialect.EC2;
    try {
      QueryForm form =
          QueryForm.parse(exchange.body().isEmpty() ? exchange.query() : exchange.body());
      Optional<Credential> credential = Credential.of(exchange, form);
      dialect = Dialect.of(credential, form);
      String action = form.value("Action");
      if (dialect == Dialect.STS) {
        boolean signed = Credential.isSigned(exchange, form);
        return use(
            world -> {
              Optional<Caller> caller = Signer.ofSts(world, credential, signed, now());
              return response(Dialect.STS, action, Sts.apply(world, caller, form, now()));
            });
      }
      Signer.requireEc2(exchange, credential, form);
      return use(
          world -> {
            Caller caller = Signer.ofEc2(world, credential.orElseThrow(), now());
            return response(Dialect.EC2, action, world.apply(caller, form, now()));
          });
    } catch (Ec2Refusal refusal) {
      return early(dialect, refusal.error());
    } catch (RuntimeException defect) {
      LOG.error("The emulator failed to answer {}", shown(dialect, exchange), defect);
      return early(dialect, DEFECT);
    }
  }

  /** The refusal of a request that reached no action. */
  private Response early(Dialect dialect, Ec2Error error) {
    String requestId = use(Ec2Model::newRequestId);
    return refused(dialect, requestId, error, Duration.ZERO, Delivery.SENT);
  }

  /** Requests to STS carry tokens that are good elsewhere too. */
  private static String shown(Dialect dialect, Exchange exchange) {
    return dialect == Dialect.STS ? "a request to STS" : exchange.body();
  }

  private static Response response(Dialect dialect, String action, Reply reply) {
    return reply
        .result()
        .match(
            answer ->
                new Response(
                    200,
                    reply.requestId(),
                    dialect.answer(action, reply.requestId(), answer),
                    reply.latency(),
                    reply.delivery()),
            error -> refused(dialect, reply.requestId(), error, reply.latency(), reply.delivery()));
  }

  private static Response refused(
      Dialect dialect, String requestId, Ec2Error error, Duration latency, Delivery delivery) {
    return new Response(
        error.status(), requestId, dialect.error(requestId, error), latency, delivery);
  }
}

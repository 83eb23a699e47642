package org.example.lending.store;

import java.util.List;
import java.util.Optional;
import org.example.lending.model.Member;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

/** Members by what a desk asks for. */
public interface MemberRepository extends JpaRepository<Member, Long> {
    Optional<Member> findByCardNumber(String cardNumber);

    List<Member> findByLastNameAndEmailIsNotNullOrderByJoinedDesc(String lastName);

    boolean existsByEmail(String email);

    @Query("SELECT m FROM Member m WHERE m.lastName = :name AND m.joined > :since")
    List<Member> joinedSince(@Param("name") String name, @Param("since") java.time.LocalDate since);
}
